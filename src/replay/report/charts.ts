import { type Html, html } from './html.ts';

export const WIDTH = 640;
export const HEIGHT = 220;
export const EDGE = { left: 72, right: 8, top: 10, bottom: 22 } as const;

export interface Line {
  readonly name: string;
  /** A class of the style sheet, which gives it its colour. */
  readonly look: 'low' | 'main' | 'high';
  readonly values: readonly number[];
}

interface Axis {
  readonly from: string;
  readonly to: string;
  /** How a value of the other axis is written. */
  readonly written: (value: number) => string;
}

/** Lines over one time, with what each means. */
export function lineChart(title: string, lines: readonly Line[], axis: Axis): Html {
  const all = lines.flatMap(({ values }) => values);
  const [low, high] = [Math.min(0, ...all), Math.max(0, ...all)];
  const y = scale(low, high);
  const points = (values: readonly number[]): string =>
    values.map((value, index) => `${place(index, values.length - 1).toFixed(1)},${y(value).toFixed(1)}`).join(' ');
  return html`<figure>
    <figcaption>${title} ${lines.map(({ name, look }) => html`<span class="key ${look}">${name}</span> `)}</figcaption>
    <svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${title}">
      ${[low, 0, high].filter((value, index, ticks) => ticks.indexOf(value) === index).map((value) => tick(y(value), axis.written(value)))}
      ${lines.map(({ look, values }) => html`<polyline class="line ${look}" points="${points(values)}" />`)}
      <text class="tick" x="${EDGE.left}" y="${HEIGHT - 4}">${axis.from}</text>
      <text class="tick end" x="${WIDTH - EDGE.right}" y="${HEIGHT - 4}">${axis.to}</text>
    </svg>
  </figure>`;
}

export interface Bar {
  readonly label: string;
  readonly value: number;
  /** Written behind it. */
  readonly words: string;
}

/** Bars one below the other; those below nothing go to the other side. */
export function barChart(title: string, bars: readonly Bar[]): Html {
  const most = Math.max(1, ...bars.map(({ value }) => Math.abs(value)));
  return html`<figure>
    <figcaption>${title}</figcaption>
    <table class="bars">
      <tbody>
        ${bars.map(
          ({ label, value, words }) =>
            html`<tr>
              <th scope="row">${label}</th>
              <td>
                <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
                  <rect
                    class="${value < 0 ? 'loss' : 'gain'}"
                    width="${((Math.abs(value) / most) * 100).toFixed(2)}"
                    height="8"
                  />
                </svg>
              </td>
              <td class="number">${words}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </figure>`;
}

/** A time, and the parts of it in which nobody watched. */
export function coverageStrip(blind: readonly { readonly from: number; readonly to: number }[]): Html {
  return html`<svg class="strip" viewBox="0 0 1 1" preserveAspectRatio="none" role="img" aria-label="what was watched">
    <rect class="seen" width="1" height="1" />
    ${blind.map(
      ({ from, to }) =>
        html`<rect class="blind" x="${from.toFixed(5)}" width="${Math.max(0.002, to - from).toFixed(5)}" height="1" />`,
    )}
  </svg>`;
}

export function tick(y: number, words: string): Html {
  return html`<line class="grid" x1="${EDGE.left}" x2="${WIDTH - EDGE.right}" y1="${y.toFixed(1)}" y2="${y.toFixed(1)}" /><text
      class="tick end"
      x="${EDGE.left - 6}"
      y="${(y + 4).toFixed(1)}"
      >${words}</text
    >`;
}

function place(index: number, last: number): number {
  return EDGE.left + (last === 0 ? 0 : (index / last) * (WIDTH - EDGE.left - EDGE.right));
}

export function scale(low: number, high: number): (value: number) => number {
  const room = HEIGHT - EDGE.top - EDGE.bottom;
  return (value) => EDGE.top + (high === low ? room : ((high - value) / (high - low)) * room);
}
