import { Counter, Gauge, type Registry } from 'prom-client';

/** The values of a metric's labels, in their order, then the value of the sample. */
export type Sample = readonly [...labels: (string | number)[], value: number];

/** What a metric is read from: a value without labels, several samples, or nothing. */
type Reading = number | undefined | Iterable<Sample>;

/**
 * Metrics by name, that are read when the metrics are requested, not updated as events happen. A name that ends with
 * `_total` is a counter, which only grows from 0 at the start; all others are gauges.
 */
export type MetricTable<Subject> = Readonly<
  Record<string, readonly [help: string, read: (subject: Subject) => Reading, ...labels: string[]]>
>;

/** Registers the metrics of a table. @param subject what they are read from; undefined: those with labels have no samples, others are 0 */
export function register<Subject>(
  registry: Registry,
  table: MetricTable<Subject>,
  subject: () => Subject | undefined,
): void {
  for (const [name, [help, read, ...labels]] of Object.entries(table)) {
    const kind = name.endsWith('_total') ? Counter : Gauge;
    const metric = new kind({
      name,
      help,
      labelNames: labels,
      registers: [registry],
      collect: () => {
        metric.reset();
        const from = subject();
        if (from === undefined) return;
        for (const sample of samplesOf(read(from))) {
          const of: Record<string, string | number> = {};
          for (let at = 0; at < labels.length; at++) of[labels[at]] = sample[at];
          metric.inc(of, sample[labels.length] as number);
        }
      },
    });
  }
}

/** The table of a whole from the table of its parts, with a further label that tells the parts apart. */
export function ofEach<Whole, Part>(
  label: string,
  parts: (whole: Whole) => Iterable<readonly [label: string, Part]>,
  table: MetricTable<Part>,
): MetricTable<Whole> {
  const ofWhole = ([name, [help, read, ...labels]]: [string, MetricTable<Part>[string]]) => {
    const readAll = function* (whole: Whole): Generator<Sample> {
      for (const [value, part] of parts(whole))
        for (const sample of samplesOf(read(part))) yield [value, ...sample];
    };
    return [name, [help, readAll, label, ...labels]] as const;
  };
  return Object.fromEntries(Object.entries(table).map(ofWhole));
}

function samplesOf(reading: Reading): Iterable<Sample> {
  if (reading === undefined) return [];
  return typeof reading === 'number' ? [[reading]] : reading;
}
