import { type Proof, noProof } from '../engine/evidence.ts';
import type { Store } from './store.ts';

/** How far the proofs of absence have come. */
export interface Proofs {
  /** Those of the given purchases that have one. */
  of(purchaseIds: readonly number[]): ReadonlyMap<number, Proof>;
  /** Inside a transaction. */
  keep(purchaseId: number, proof: Proof): void;
  /** The proof begins anew. Inside a transaction. */
  forget(purchaseId: number): void;
}

export function createProofs(store: Store): Proofs {
  const select = store.reading<[string], { id: number; proof: string }>(
    'SELECT id, proof FROM purchases WHERE proof IS NOT NULL AND id IN (SELECT value FROM json_each(?))',
  );
  const update = store.writing<[string | null, number]>('UPDATE purchases SET proof = ? WHERE id = ?');
  return {
    of: (ids) =>
      new Map(
        select.all(JSON.stringify(ids)).map(({ id, proof }) => [id, { ...noProof, ...(JSON.parse(proof) as Partial<Proof>) }]),
      ),
    keep: (id, proof) => void update(JSON.stringify(proof), id),
    forget: (id) => void update(null, id),
  };
}
