import { useEffect, useRef, useState } from 'preact/hooks';
import uPlot from 'uplot';
import { theme } from '../theme.ts';
import { scrolled } from './layout.tsx';
import { Table } from './table.tsx';

/** As many values as times. null: none is known. */
export interface Series {
  name: string;
  values: readonly (number | null)[];
}

/** Values over time. Screen readers get a summary and a table. */
interface ChartProps {
  title: string;
  /** Stands behind each value, such as `ms`. */
  unit?: string;
  /** Seconds since the epoch, ascending. */
  times: readonly number[];
  /** Four at most have colours of their own. */
  series: readonly Series[];
  /** Each value is of a whole day in UTC, whose beginning is its time. */
  has_days?: boolean;
}

const HEIGHT = 180;
const DAY_SECONDS = 86_400;
/** Seconds between labels of times, which have minutes. */
const TIME_STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720, 1_440].map((minutes) => minutes * 60);
/** Seconds between labels of days. */
const DAY_STEPS = [1, 2, 5, 10].map((days) => days * DAY_SECONDS);
const COLOURS_COUNT = 4;
/** Series differ by their lines, too, not by colour alone. */
const DASHES = [[], [6, 4], [2, 3], [10, 3, 2, 3]];
/** Distances of labels between whole numbers, ascending. */
const WHOLE_STEPS = Array.from({ length: 13 }, (_, power) =>
  [1, 2, 5].map((step) => step * 10 ** power),
).flat();
const NUMBER = new Intl.NumberFormat('en', { maximumFractionDigits: 2 });
const SHORT = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 2 });
const WHEN = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
const CLOCK = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const DATE = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
const UTC_DATE = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });

export function Chart(props: ChartProps) {
  const { title, unit = '', times, series, has_days = false } = props;
  const whenText = has_days ? UTC_DATE : WHEN;
  const [at, setAt] = useState<number>();
  const [has_table, setTable] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  useDrawing(box, props, setAt);
  const valueAt = (values: readonly (number | null)[], index: number): string => {
    const value = values.at(index) ?? null;
    return value === null ? '–' : `${NUMBER.format(value)}${unit && ` ${unit}`}`;
  };
  const shown = at ?? times.length - 1;
  return (
    <figure class="chart">
      <figcaption>
        <h3>{title}</h3>
        {times.length > 0 && (
          <ul>
            {series.map(({ name, values }, index) => (
              <li key={name}>
                <span class={`mark mark-${index % COLOURS_COUNT}`} />
                {name} <b>{valueAt(values, shown)}</b>
              </li>
            ))}
            <li class="when">
              {whenText.format(times[shown] * 1000)}
              {has_days && ' UTC'}
            </li>
          </ul>
        )}
      </figcaption>
      {times.length === 0 && <p class="help">Nothing was measured yet.</p>}
      <div class="plot" ref={box} role="img" aria-label={summaryOf(props, valueAt)} />
      <span class="lines" hidden />
      {times.length > 0 && (
        <details onToggle={(event) => setTable(event.currentTarget.open)}>
          <summary>As a table</summary>
          {has_table && (
            <div class="table" {...scrolled(`${title}, as a table`)}>
              <Table
                rows={times}
                keyOf={(time) => time}
                columns={[
                  {
                    title: has_days ? 'Day (UTC)' : 'Time',
                    kind: 'name',
                    cell: (time) => whenText.format(time * 1000),
                  },
                  ...series.map(({ name, values }) => ({
                    ...{ title: name, cell: (_: number, index: number) => valueAt(values, index) },
                  })),
                ]}
              />
            </div>
          )}
        </details>
      )}
    </figure>
  );
}

function summaryOf(
  { title, times, series }: ChartProps,
  valueAt: (values: readonly (number | null)[], index: number) => string,
): string {
  if (times.length === 0) return `${title}: no values`;
  const parts = series.map(({ name, values }) => {
    const known = values.filter((value) => value !== null);
    const highest = known.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY);
    const top = known.length === 0 ? 'no values' : `highest ${valueAt([highest], 0)}`;
    return `${name}: last ${valueAt(values, times.length - 1)}, ${top}`;
  });
  return `${title}. ${parts.join('. ')}`;
}

/** Keeps a drawing in the box: with its width, the colours of the page and the data. */
function useDrawing(
  box: { current: HTMLDivElement | null },
  { times, series, title, has_days = false }: ChartProps,
  onPoint: (index: number | undefined) => void,
): void {
  const drawing = useRef<uPlot | null>(null);
  const data: uPlot.AlignedData = [[...times], ...series.map(({ values }) => [...values])];
  const is_whole = series.every(({ values }) => values.every((value) => Number.isInteger(value ?? 0)));
  const has_data = times.length > 0;
  useEffect(() => {
    const element = box.current;
    if (element === null || !has_data) return;
    const options = optionsFor(element, { count: series.length, is_whole, has_days }, onPoint);
    const made = new uPlot(options, data, element);
    drawing.current = made;
    const resized = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height: HEIGHT }));
    resized.observe(element);
    const scheme = matchMedia('(prefers-color-scheme: dark)');
    const redraw = (): void => made.redraw(false);
    scheme.addEventListener('change', redraw);
    return () => {
      scheme.removeEventListener('change', redraw);
      resized.disconnect();
      made.destroy();
      drawing.current = null;
    };
  }, [has_data, is_whole, has_days, series.length, title]);
  useEffect(() => drawing.current?.setData(data), [times, series]);
  useEffect(() => drawing.current?.redraw(false), [theme.value]);
}

function optionsFor(
  element: HTMLElement,
  { count, is_whole, has_days }: { count: number; is_whole: boolean; has_days: boolean },
  onPoint: (index: number | undefined) => void,
): uPlot.Options {
  // The drawing cannot use the page's variables, so their values are read whenever it is drawn.
  const colour = (name: string) => (): string =>
    getComputedStyle(element.parentElement?.querySelector(`.${name}`) ?? element).color;
  const line = {
    stroke: colour('plot'),
    grid: { stroke: colour('lines'), width: 1 },
    ticks: { show: false },
  };
  return {
    width: element.clientWidth,
    height: HEIGHT,
    ...(has_days && { tzDate: (time) => uPlot.tzDate(new Date(time * 1000), 'Etc/UTC') }),
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { size: 7 } },
    hooks: { setCursor: [({ cursor }) => onPoint(cursor.idx ?? undefined)] },
    scales: {
      y: { range: (_, low, high) => [Math.min(0, low ?? 0), high === null || high <= 0 ? 1 : high * 1.08] },
    },
    series: [
      {},
      ...Array.from({ length: count }, (_, index) => ({
        stroke: colour(`mark-${index % COLOURS_COUNT}`),
        dash: DASHES[index % COLOURS_COUNT],
        width: 2,
        points: { show: true, filter: (chart: uPlot, of: number) => aloneIn([...chart.data[of]]) },
      })),
    ],
    axes: [
      {
        ...line,
        size: 32,
        incrs: has_days ? DAY_STEPS : TIME_STEPS,
        values: (_, splits, __, ___, step) =>
          splits.map((time) => (has_days ? UTC_DATE.format(time * 1000) : timeText(time, step))),
      },
      {
        ...line,
        size: 48,
        incrs: is_whole ? WHOLE_STEPS : undefined,
        values: (_, splits) => splits.map((value) => SHORT.format(value)),
      },
    ],
  };
}

/** Indices of values without neighbours, which no line shows. */
function aloneIn(values: readonly (number | null | undefined)[]): number[] {
  const is_known = (index: number): boolean => typeof values[index] === 'number';
  return [...values.keys()].filter((at) => is_known(at) && !is_known(at - 1) && !is_known(at + 1));
}

/** @param step seconds between the labels of the axis */
function timeText(time: number, step: number): string {
  const date = new Date(time * 1000);
  const is_midnight = date.getHours() === 0 && date.getMinutes() === 0;
  return step >= DAY_SECONDS || is_midnight ? DATE.format(date) : CLOCK.format(date);
}
