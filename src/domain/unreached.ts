import type { Fault } from './fault.ts';

/** What to look at where a service gave no answer that can be used, by how far the request came. */
export function stepWhereUnreached({ sent }: Pick<Fault, 'sent'>): string {
  return sent
    ? 'see whether service.baseUrl is the address that the service gave you'
    : 'see whether this machine reaches the service: address, DNS, firewall';
}
