/** Why a number has no test. */
export type Excuse =
  | { readonly decided: string }
  /** What it belongs to is not there yet. The excuse ends when a file whose path fits `until` is there. */
  | { readonly waitsFor: string; readonly until: RegExp };

const page: Excuse = { waitsFor: 'the page', until: /^src\/web\// };
const webhooks: Excuse = { waitsFor: 'webhooks', until: /^src\/(?!sandbox\/|api\/).*webhook/i };
const reload: Excuse = { waitsFor: 'reload of files while it runs', until: /^src\/.*reload/i };
const channels: Excuse = { waitsFor: 'alerts to chats', until: /^src\/.*(?:discord|telegram|notif)/i };

/** Numbers of the catalogue and of the lessons that no test proves, each with the reason. */
export const excused: Readonly<Record<string, Excuse>> = {
  M5: {
    decided:
      'a listing under a new id is a new offer: what was bought and listed again may be worth buying again, and the caps of the item bound it',
  },
  C11: reload,
  C12: reload,
  S4: { waitsFor: 'the files for installing it as a service', until: /^deploy\// },
  S7: page,
  S8: page,
  S9: page,
  S10: page,
  S11: page,
  S12: webhooks,
  S13: webhooks,
  S14: webhooks,
  S15: webhooks,
  S19: { waitsFor: 'exports of purchases', until: /^src\/cli\/export\.ts$/ },
  S22: channels,
  S34: { waitsFor: 'replay and backtest', until: /^src\/replay\/.*(?:backtest|replay)/i },
  'money-23': { waitsFor: 'our own record of reference prices', until: /^src\/(?!sandbox\/|settings\/).*(?:reference|median)/i },
  'unattended-11': channels,
};
