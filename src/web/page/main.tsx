import { render } from 'preact';
import { App } from './app.tsx';
import { place, replacePlace } from './browser.ts';
import { mayEnter, start } from './live.ts';
import { enter } from './login.tsx';
import { beat } from './pulse.ts';
import { followPlace, where } from './where.ts';

/** An address with the token in it, as the start prints it: the token is taken out at once, before anything else can see it. */
async function begin(): Promise<void> {
  const token = /^token=(.+)$/.exec(place())?.[1];
  if (token !== undefined) {
    replacePlace('/');
    where.value = '/';
    await enter(decodeURIComponent(token));
  }
  start();
}

followPlace();
beat();
const page = document.getElementById('page');
if (page !== null) render(<App />, page);
void begin().catch(() => (mayEnter.value = false));
