/** What the account of one client at the bench's service has: enough for the whole bot to run as it does on the real one. */
export class Account {
  #balance = 1_000_000;
  readonly #orders: { readonly id: string; readonly listingId: string; readonly amount: number; readonly at: number }[] = [];

  /** The `data` of an answer; undefined for what this service does not know. */
  answer(method: string, path: string, body: string): unknown {
    switch (`${method} ${path}`) {
      case 'GET /v1/user':
        return { type: 'apiKey', message: 'profile', profile: { id: 'a1b2c3d4e5f60718293a4b5c', balance: this.#balance } };
      case 'GET /v1/user/orders':
        return this.#list();
      case 'GET /v1/user/transactions':
        return { total: 0, transactions: [], message: 'transactions' };
      case 'GET /v1/partner/market-health':
        return health();
      case 'POST /v2/market/buy':
        return this.#buy(JSON.parse(body) as { itemId: string; price: number });
      default:
        return undefined;
    }
  }

  #buy({ itemId: listingId, price }: { readonly itemId: string; readonly price: number }): unknown {
    const amount = Math.round(price * 105) / 100;
    this.#balance = Math.round((this.#balance - amount) * 100) / 100;
    const id = (this.#orders.length + 1).toString(16).padStart(24, '0');
    this.#orders.unshift({ id, listingId, amount, at: Date.now() });
    return { order: { orderId: `up-${id}`, serviceOrderId: id, status: 'SUCCESS', message: 'order accepted' }, item: null };
  }

  #list(): unknown {
    const orders = this.#orders.map(({ id, listingId, amount, at }) => ({
      ...{ id, item: null, itemId: listingId, amount, currency: 'USD', timestamp: at },
      status: { code: 'HOLD', label: 'Trade protection' },
    }));
    return { total: orders.length, returned: orders.length, orders, message: 'orders' };
  }
}

function health(): unknown {
  const market = { status: 'ok', staleMs: 100 };
  return { status: 'ok', ts: Date.now(), markets: { c5: market, ecosteam: market }, service: { c5: true, ecosteam: true } };
}
