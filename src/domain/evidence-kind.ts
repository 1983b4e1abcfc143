/** What each kind of evidence on a purchase is, in words for a person, where its own note does not say it. */
export const evidenceKinds: Readonly<Record<string, string>> = {
  intent: 'written and synced',
  outcome: 'the answer to its request',
  late: 'a late answer to its request',
  orphan: 'found without an outcome at a start',
  verdict: 'a person decided',
  clock: 'dated anew after a clock that was ahead',
  debit: 'the balance shows its debit',
  paid: 'its debit is booked',
  status: 'its order moved on',
  completed: 'its order is completed',
  contradiction: 'did not fit, and changed nothing',
};
