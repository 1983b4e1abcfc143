import type { Mutant } from './mutant.ts';

const reload = 'src/engine/reload.ts';

/** Faults of rules that change while Magpie runs. */
export const reloading: readonly Mutant[] = [
  {
    name: 'reload-keeps-matches',
    breaks: 'what the rules before wanted goes on standing, and is bought for them',
    edits: [{ file: reload, find: '  state.standing.clear();\n', replace: '' }],
  },
  {
    name: 'reload-keeps-limits',
    breaks: 'new strategies come into force, new limits of the account do not',
    edits: [
      {
        file: reload,
        find: '  state.rules = rules;\n',
        replace: '  state.rules = { ...rules, limits: state.rules.limits };\n',
      },
    ],
  },
  {
    name: 'reload-in-the-middle',
    breaks: 'rules change while an answer arrives',
    edits: [
      {
        file: 'src/app/rule-change.ts',
        find: '    if (!this.#options.heard.isArriving) this.#apply();',
        replace: '    this.#apply();',
      },
    ],
    survives: {
      because: 'what an answer had shown by then is matched anew from the shelf, which costs time only',
      caughtBy: 'test/app/rule-change.test.ts',
    },
  },
];
