import { EDGE, HEIGHT, WIDTH, scale, tick } from './charts.ts';
import { type Html, html } from './html.ts';

export interface Dot {
  readonly x: number;
  readonly y: number;
  /** A class of the style sheet, which gives it its colour. */
  readonly look: 'main' | 'low' | 'high';
  readonly name: string;
}

/** One dot for each, by two of its figures; later ones lie above earlier ones. */
export function dotChart(
  title: string,
  dots: readonly Dot[],
  { x: xName, y: yName, written }: { readonly x: string; readonly y: string; readonly written: (value: number) => string },
): Html {
  const bounds = (values: readonly number[]): readonly [number, number] =>
    values.reduce<readonly [number, number]>(([low, high], value) => [Math.min(low, value), Math.max(high, value)], [0, 0]);
  const [left, right] = bounds(dots.map(({ x }) => x));
  const [low, high] = bounds(dots.map(({ y }) => y));
  const y = scale(low, high);
  const x = (value: number): number =>
    EDGE.left + (right === left ? 0 : (value - left) / (right - left)) * (WIDTH - EDGE.left - EDGE.right - DOT);
  return html`<figure>
    <figcaption>
      ${title} <span class="key main">a variant</span> <span class="key low">as it is</span>
      <span class="key high">the best</span>
    </figcaption>
    <svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${title}">
      ${[low, 0, high].filter((value, index, ticks) => ticks.indexOf(value) === index).map((value) => tick(y(value), written(value)))}
      ${dots.map(
        (dot) =>
          html`<circle class="dot ${dot.look}" cx="${x(dot.x).toFixed(1)}" cy="${y(dot.y).toFixed(1)}" r="${DOT}"
            ><title>${dot.name}</title></circle
          >`,
      )}
      <text class="tick" x="${EDGE.left}" y="${HEIGHT - 4}">${xName} ${written(left)}</text>
      <text class="tick end" x="${WIDTH - EDGE.right}" y="${HEIGHT - 4}">${written(right)}</text>
    </svg>
    <p class="dim">Across: ${xName}. Up: ${yName}.</p>
  </figure>`;
}

const DOT = 4;
