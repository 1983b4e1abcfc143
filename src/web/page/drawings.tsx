const WIDTH = 560;
const HEIGHT = 200;
const LEFT = 52;
const RIGHT = 8;
const TOP = 10;
const BOTTOM = 24;
const INNER = { width: WIDTH - LEFT - RIGHT, height: HEIGHT - TOP - BOTTOM };

type Tone = 'one' | 'two' | 'lost';

/** Round figures from zero to a little above the largest. */
function scaleTo(largest: number): { readonly top: number; readonly marks: readonly number[] } {
  const rough = Math.max(largest, 1e-9) / 3;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((each) => each * power).find((each) => each >= rough) ?? 10 * power;
  const steps = Math.max(1, Math.ceil(largest / step));
  return { top: step * steps, marks: Array.from({ length: steps + 1 }, (_, index) => step * index) };
}

const yOf = (value: number, top: number): number => TOP + INNER.height * (1 - value / top);

function Frame({
  label,
  marks,
  top,
  amount,
  names,
  children,
}: {
  label: string;
  marks: readonly number[];
  top: number;
  amount: (value: number) => string;
  names: readonly string[];
  children: preact.ComponentChildren;
}) {
  const shown = names.length === 0 ? [] : [0, Math.floor((names.length - 1) / 2), names.length - 1];
  return (
    <svg class="chart" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label}>
      {marks.map((mark) => (
        <g key={mark}>
          <line class="grid-line" x1={LEFT} x2={WIDTH - RIGHT} y1={yOf(mark, top)} y2={yOf(mark, top)} />
          <text x={LEFT - 6} y={yOf(mark, top) + 4} text-anchor="end">
            {amount(mark)}
          </text>
        </g>
      ))}
      {shown.map((index, place) => (
        <text
          key={place}
          x={LEFT + (INNER.width * (index + 0.5)) / names.length}
          y={HEIGHT - 6}
          text-anchor={place === 0 ? 'start' : place === 1 ? 'middle' : 'end'}
        >
          {names[index]}
        </text>
      ))}
      {children}
    </svg>
  );
}

export interface Column {
  readonly name: string;
  /** One above the other. */
  readonly parts: readonly { readonly value: number; readonly tone: Tone }[];
  readonly words: string;
}

export function Bars({
  label,
  columns,
  amount,
}: {
  label: string;
  columns: readonly Column[];
  amount: (value: number) => string;
}) {
  const heights = columns.map(({ parts }) => parts.reduce((sum, { value }) => sum + value, 0));
  const { top, marks } = scaleTo(Math.max(1, ...heights));
  const step = INNER.width / Math.max(1, columns.length);
  return (
    <Frame label={label} marks={marks} top={top} amount={amount} names={columns.map(({ name }) => name)}>
      {columns.map(({ name, parts, words }, index) => {
        let below = 0;
        return (
          <g key={name}>
            <title>
              {name}: {words}
            </title>
            <rect class="target" x={LEFT + step * index} y={TOP} width={step} height={INNER.height} />
            {parts.map(({ value, tone }, place) => {
              const y = yOf(below + value, top);
              const height = yOf(below, top) - y;
              below += value;
              return <rect key={place} class={tone} x={LEFT + step * (index + 0.15)} y={y} width={step * 0.7} height={height} />;
            })}
          </g>
        );
      })}
    </Frame>
  );
}

export interface Line {
  readonly name: string;
  readonly tone: Tone;
  readonly values: readonly number[];
}

export function Lines({
  label,
  names,
  lines,
  amount,
}: {
  label: string;
  names: readonly string[];
  lines: readonly Line[];
  amount: (value: number) => string;
}) {
  const { top, marks } = scaleTo(Math.max(1, ...lines.flatMap(({ values }) => values)));
  const x = (index: number): number => LEFT + (INNER.width * (index + 0.5)) / Math.max(1, names.length);
  return (
    <>
      <Frame label={label} marks={marks} top={top} amount={amount} names={names}>
        {lines.map(({ name, tone, values }) => (
          <polyline
            key={name}
            class={`line ${tone}`}
            points={values.map((value, index) => `${x(index).toFixed(1)},${yOf(value, top).toFixed(1)}`).join(' ')}
          />
        ))}
      </Frame>
      <p class="legend" aria-hidden="true">
        {lines.map(({ name, tone }) => (
          <span key={name}>
            <i class={tone} /> {name}
          </span>
        ))}
      </p>
    </>
  );
}

/** One dot for each value; what is far above the rest stands at the top, so that the rest can be told apart. */
export function Dots({ label, values, amount }: { label: string; values: readonly number[]; amount: (value: number) => string }) {
  const sorted = values.toSorted((one, other) => one - other);
  const usual = sorted[Math.floor(sorted.length * 0.98)] ?? 1;
  const { top, marks } = scaleTo(Math.max(usual, 0.1));
  const step = INNER.width / Math.max(1, values.length);
  return (
    <Frame label={label} marks={marks} top={top} amount={amount} names={[]}>
      {values.map((value, index) => (
        <circle key={index} class="one" cx={LEFT + step * (index + 0.5)} cy={yOf(Math.min(value, top), top)} r={2.5} />
      ))}
    </Frame>
  );
}
