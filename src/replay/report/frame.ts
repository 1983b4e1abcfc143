import type { EpochMs } from '../../domain/clock.ts';
import { Html, html } from './html.ts';
import { style } from './style.ts';

/** A page that needs nothing else: no script, no address, nothing that a name could start. */
export function framed(title: string, body: Html): string {
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'" />
        <meta name="referrer" content="no-referrer" />
        <title>${title}</title>
        ${style}
      </head>
      <body>
        <main>${body}</main>
      </body>
    </html> `;
  return page.text;
}

/** The first column are words, the others figures unless they are long. */
export function table(heads: readonly string[], rows: readonly (readonly string[])[]): Html {
  const cell = (text: string, index: number, tag: 'th' | 'td'): Html => {
    const look = text.length < 28 ? 'number' : 'words';
    const number = index > 0 ? new Html(` class="${look}"`) : new Html('');
    return tag === 'th' ? html`<th${number}>${text}</th>` : html`<td${number}>${text}</td>`;
  };
  return html`<div class="wide" tabindex="0">
    <table>
      <thead>
        <tr>
          ${heads.map((head, index) => cell(head, index, 'th'))}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) =>
            html`<tr>
              ${row.map((text, index) => cell(text, index, 'td'))}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

/** With its zone. */
export function utc(at: EpochMs): string {
  return `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}
