import { useSignal } from '@preact/signals';
import { tell } from './browser.ts';
import { reconnect } from './live.ts';

/** All that there is without the token. */
export function Login() {
  const token = useSignal('');
  const failed = useSignal<string | undefined>(undefined);
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    const got = await enter(token.value);
    failed.value = got;
  };
  return (
    <main class="login" id="content">
      <h1>Magpie</h1>
      <form onSubmit={(event) => void submit(event)}>
        <label>
          Token of this page
          <input
            type="password"
            name="token"
            required
            autoComplete="current-password"
            value={token.value}
            onInput={(event) => (token.value = event.currentTarget.value)}
          />
        </label>
        {failed.value !== undefined && (
          <p class="bad-text" role="alert">
            {failed.value}
          </p>
        )}
        <button type="submit" class="primary">
          Show the page
        </button>
      </form>
      <p class="note">
        It is the value of <code>web.token</code> in the configuration. Where none is set there, Magpie has made one: it stands in
        the file <code>magpie.web-token</code> of the data folder.
      </p>
    </main>
  );
}

/** Shows the token at the door. What comes back is why it was not taken; undefined where it was. */
export async function enter(token: string): Promise<string | undefined> {
  const got = await tell('api/login', { token });
  if (got.value === undefined) return got.status === 0 ? 'Magpie cannot be reached just now.' : `${upper(got.message)}.`;
  reconnect();
  return undefined;
}

function upper(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
