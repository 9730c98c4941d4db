/** Values with their intervals, a line each. The figures are read out; show them beside the chart, too. */
interface IntervalChartProps {
  title: string;
  /** Null: not known. Four rows at most have colours of their own. */
  rows: readonly { name: string; value: number | null; low: number | null; high: number | null }[];
  textOf: (value: number) => string;
  /** Marks zero: no difference. */
  has_zero?: boolean;
  /** The colour of the first row. */
  first_colour?: number;
}

const COLOURS_COUNT = 4;
/** There are at most this many, and at least about half as many. */
const TICKS_COUNT = 6;
const HEIGHT = 26;
const MIDDLE = HEIGHT / 2;
/** Free space beside the outermost values, as a share of the range. */
const MARGIN = 0.06;

export function IntervalChart(props: IntervalChartProps) {
  const { title, rows, textOf, has_zero = false, first_colour = 0 } = props;
  const values = rows.flatMap(({ value, low, high }) => [value, low, high].filter((one) => one !== null));
  if (values.length === 0) return null;
  const ends = has_zero ? [...values, 0] : values;
  const lowest = Math.min(...ends);
  const span = Math.max(...ends) - lowest || Math.abs(lowest) || 1;
  const from = lowest - span * MARGIN;
  const placeOf = (value: number): string => `${((value - from) / (span * (1 + 2 * MARGIN))) * 100}%`;
  const ticks = ticksBetween(lowest, lowest + span);
  const summary = rows.map((row) => `${row.name}: ${rowText(row, textOf)}`).join('. ');
  return (
    <div class="interval-chart" role="img" aria-label={`${title}. ${summary}`}>
      {rows.map(({ name, value, low, high }, index) => (
        <div class="interval" key={name}>
          <span>{name}</span>
          <svg class={`mark-${(index + first_colour) % COLOURS_COUNT}`} height={HEIGHT} aria-hidden="true">
            {ticks.map((tick) => (
              <line
                key={tick}
                class={has_zero && tick === 0 ? 'zero' : 'grid'}
                {...{ x1: placeOf(tick), x2: placeOf(tick), y1: 0, y2: HEIGHT }}
              />
            ))}
            {low !== null && high !== null && (
              <>
                <line x1={placeOf(low)} x2={placeOf(high)} y1={MIDDLE} y2={MIDDLE} />
                {[low, high].map((end) => (
                  <line key={end} x1={placeOf(end)} x2={placeOf(end)} y1={MIDDLE - 5} y2={MIDDLE + 5} />
                ))}
              </>
            )}
            {value !== null && <circle cx={placeOf(value)} cy={MIDDLE} r={5} />}
          </svg>
        </div>
      ))}
      <div class="interval ticks">
        <span />
        <svg height={18} aria-hidden="true">
          {ticks.map((tick) => (
            <text key={tick} x={placeOf(tick)} y={13}>
              {textOf(tick)}
            </text>
          ))}
        </svg>
      </div>
    </div>
  );
}

function rowText(
  { value, low, high }: IntervalChartProps['rows'][number],
  textOf: (value: number) => string,
): string {
  if (value === null) return 'not known';
  if (low === null || high === null) return textOf(value);
  return `${textOf(value)}, interval from ${textOf(low)} to ${textOf(high)}`;
}

/** Round values within a range, evenly apart. */
function ticksBetween(low: number, high: number): number[] {
  const rough = (high - low) / TICKS_COUNT;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((one) => one >= rough) ?? rough;
  const first = Math.ceil(low / step);
  const count = Math.floor(high / step) - first + 1;
  return Array.from({ length: count }, (_, index) => (first + index) * step);
}
