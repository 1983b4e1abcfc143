import { describe, expectTypeOf, it } from 'vitest';
import type { AnswerOf, CallRequest, Client, Result } from '../../src/client/client.ts';

describe('the types of a client', () => {
  it('ask for what must be given, and for nothing else', () => {
    expectTypeOf<Parameters<Client['user']>>().toEqualTypeOf<[request?: CallRequest<'user'>]>();
    expectTypeOf<Parameters<Client['search']>['length']>().toEqualTypeOf<0 | 1>();
    expectTypeOf<Parameters<Client['listings']>['length']>().toEqualTypeOf<1>();
    expectTypeOf<Parameters<Client['buy']>['length']>().toEqualTypeOf<1>();
    expectTypeOf<CallRequest<'cancelDeposit'>['path']>().toEqualTypeOf<{ readonly depositId: string }>();
    expectTypeOf<{ query: { item: string } }>().toExtend<CallRequest<'listings'>>();
    expectTypeOf<{ query: { page: number } }>().not.toExtend<CallRequest<'listings'>>();
    expectTypeOf<{ body: { itemId: string; price: number; market: 'c5' } }>().not.toExtend<CallRequest<'buy'>>();
    expectTypeOf<{ body: { itemId: string } }>().not.toExtend<CallRequest<'user'>>();
  });

  it('know the elements of lists, and leave open what is not documented', () => {
    expectTypeOf<AnswerOf<'liveListings'>['listings'][number]['priceWithFee']>().toEqualTypeOf<number>();
    expectTypeOf<AnswerOf<'orders'>['orders'][number]['status']['code']>().toEqualTypeOf<string>();
    expectTypeOf<AnswerOf<'transfer'>['message']>().toEqualTypeOf<string>();
    expectTypeOf<AnswerOf<'wallet'>>().toEqualTypeOf<unknown>();
    expectTypeOf<ReturnType<Client['wallet']>>().toEqualTypeOf<Promise<Result<unknown>>>();
  });
});
