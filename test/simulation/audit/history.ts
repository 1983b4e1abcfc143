import type { EvidenceRow, PurchaseRow, Rows } from './rows.ts';

/** How one purchase stood at a moment in the journal's own order. */
export interface Standing {
  readonly row: PurchaseRow;
  state: string;
  held: boolean;
  paid: number | undefined;
  refunded: number;
  /** When a refusal of it was confirmed, or it was held for never bought: its money was given back to the caps. */
  freedAt: number | undefined;
}

/** Replays the evidence and calls `atIntent` just before each new purchase, with everything as it stood then. */
export function replay(
  rows: Rows,
  atIntent: (row: PurchaseRow, before: ReadonlyMap<number, Standing>) => void,
): Map<number, Standing> {
  const byId = new Map(rows.purchases.map((row) => [row.id, row]));
  const standings = new Map<number, Standing>();
  for (const evidence of rows.evidence) {
    const row = byId.get(evidence.purchase_id);
    if (row === undefined) continue;
    const standing = standings.get(row.id);
    if (standing === undefined) {
      atIntent(row, standings);
      standings.set(row.id, { row, state: evidence.to_state, held: false, paid: undefined, refunded: 0, freedAt: undefined });
    } else change(standing, evidence);
  }
  return standings;
}

const freeing = new Set(['refusal-confirmed', 'not-bought', 'verdict']);

function change(standing: Standing, { at, from_state, to_state, kind, json }: EvidenceRow): void {
  if (kind === 'contradiction') return;
  standing.state = to_state;
  if (to_state !== 'rejected') standing.held = false;
  else if (freeing.has(kind)) [standing.held, standing.freedAt] = [false, at];
  else if (from_state !== 'rejected') standing.held = true;
  const said = json === null ? {} : (JSON.parse(json) as { paid?: number; amount?: number });
  if ((kind === 'paid' || kind === 'bought') && said.paid !== undefined) standing.paid = said.paid;
  if (kind === 'refund' && said.amount !== undefined) {
    standing.refunded = Math.min(standing.paid ?? standing.row.cost, standing.refunded + said.amount);
  }
}

/** Whether a purchase claims money: all but what never left and refusals that were confirmed. */
export function claims({ state, held }: Standing): boolean {
  return state !== 'expired' && (state !== 'rejected' || held);
}
