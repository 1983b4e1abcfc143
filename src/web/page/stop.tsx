import { signal } from '@preact/signals';
import { createRef } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import { tell } from './browser.ts';
import { everybody, reconnect, status } from './live.ts';
import { Card } from './parts.tsx';
import { account, asked as askedOf, option } from './where.ts';

type Question = keyof typeof words;

/** What a person is being asked about. */
const asked = signal<Question | undefined>(undefined);
const reason = signal('');
const failed = signal<string | undefined>(undefined);
const busy = signal(false);

const dialog = createRef<HTMLDialogElement>();

/** Opened within the very press that asks for it: who types on at once types into it, and who had just left it gets it again. */
function ask(question: Question): void {
  if (dialog.current?.open === true) return;
  asked.value = question;
  reason.value = '';
  failed.value = undefined;
  dialog.current?.showModal();
}

function leave(): void {
  dialog.current?.close();
  asked.value = undefined;
}

const words = {
  halt: {
    title: 'Stop buying?',
    text: 'Nothing new is bought from now on, until somebody allows it again; a restart changes nothing of that. What is under way is finished. Magpie goes on watching.',
    reason: 'Why it is stopped',
    button: 'Stop buying',
  },
  resume: {
    title: 'Allow buying again?',
    text: 'Magpie buys again within a second, whatever had stopped it.',
    reason: 'Why it may buy again',
    button: 'Allow buying',
  },
  haltAll: {
    title: 'Stop buying for every account?',
    text: 'No account buys anything new from now on; a restart changes nothing of that. What is under way is finished. Each account is allowed to buy again by itself, one after another.',
    reason: 'Why all of them are stopped',
    button: 'Stop all accounts',
  },
} as const;

/** The button of the head of the page of all accounts; nothing allows all of them to buy again at once. */
export function StopAllButton() {
  const all = everybody.value?.accounts;
  if (all === undefined || all.every(({ state }) => state === 'halted')) return null;
  return (
    <button type="button" class="danger" onClick={() => ask('haltAll')}>
      Stop all
    </button>
  );
}

export function StopAllCard() {
  return (
    <Card title="How to stop them">
      <p>
        “Stop all” at the top stops every account within a second, and outlasts a restart. To stop one, choose it: it has a button
        of its own. To let one buy again, choose it too; there is no button for all of them, so that each is looked at.
      </p>
      <p class="note">
        At a terminal: <code>magpie halt --reason TEXT</code> for all, <code>magpie resume --account NAME</code> for one.
      </p>
    </Card>
  );
}

/** The button of the head of the page: to stop, or to allow what was stopped. */
export function StopButton() {
  const facts = status.value;
  if (facts === undefined) return null;
  return facts.halted ? (
    <button type="button" class="primary" onClick={() => ask('resume')}>
      Allow buying
    </button>
  ) : (
    <button type="button" class="danger" onClick={() => ask('halt')}>
      Stop buying
    </button>
  );
}

export function StopCard() {
  const halted = status.value?.halted === true;
  return (
    <Card title="How to stop it">
      <p>
        {halted
          ? 'Buying is stopped. “Allow buying” at the top lets it go on; you say why.'
          : '“Stop buying” at the top: it counts within a second, and outlasts a restart. You say why, so that everybody can read it later.'}
      </p>
      <p class="note">
        At a terminal: <code>{halted ? `magpie resume${option()}` : `magpie halt${option()} --reason TEXT`}</code>. To end the
        program itself: Ctrl-C where it runs.
      </p>
    </Card>
  );
}

export function StopDialog() {
  const which = asked.value;
  // Who leaves the account that was asked about has answered.
  useLayoutEffect(leave, [account.value]);
  // Told after the fact: by then it may have been opened again.
  const closed = (): void => {
    if (dialog.current?.open !== true) asked.value = undefined;
  };
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (which === undefined || busy.value) return;
    busy.value = true;
    const got = await tell(askedOf(which === 'resume' ? 'api/resume' : 'api/halt'), { reason: reason.value });
    busy.value = false;
    if (got.value === undefined) {
      failed.value = got.status === 0 ? 'Magpie cannot be reached, so nothing was changed.' : got.message;
      return;
    }
    leave();
    reconnect();
  };
  const { title, text, reason: label, button } = words[which ?? 'halt'];
  return (
    <dialog ref={dialog} aria-labelledby="stop-title" onClose={closed}>
      <form onSubmit={(event) => void submit(event)}>
        <h2 id="stop-title">
          {title}
          {account.value === undefined ? '' : ` (${account.value})`}
        </h2>
        <p>{text}</p>
        <label>
          {label}
          <input
            type="text"
            required
            maxLength={1000}
            autoComplete="off"
            value={reason.value}
            onInput={(event) => (reason.value = event.currentTarget.value)}
          />
        </label>
        {failed.value !== undefined && (
          <p class="bad-text" role="alert">
            {failed.value}
          </p>
        )}
        <Buttons yes={button} tone={which === 'resume' ? 'primary' : 'danger'} busy={busy.value} />
      </form>
    </dialog>
  );
}

function Buttons({ yes, tone, busy }: { yes: string; tone: 'primary' | 'danger'; busy: boolean }) {
  return (
    <div class="buttons">
      <button type="button" onClick={leave}>
        Cancel
      </button>
      <button type="submit" class={tone} disabled={busy}>
        {yes}
      </button>
    </div>
  );
}
