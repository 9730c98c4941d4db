import { Counter, Gauge, type Registry } from 'prom-client';

export type Sample = [labels: Record<string, string | number>, value: number];

/** A metric whose value is read when the metrics are requested, not updated as events happen. */
export interface ReadMetric {
  name: string;
  help: string;
  /** Label names of its samples. */
  labels?: readonly string[];
  read(): Iterable<Sample>;
}

/** Registers a counter: a value that only grows, from 0 at the start. */
export function readTotal(registry: Registry, { name, help, labels = [], read }: ReadMetric): void {
  new Counter({
    name,
    help,
    labelNames: labels,
    registers: [registry],
    collect() {
      this.reset();
      for (const [of, value] of read()) this.inc(of, value);
    },
  });
}

/** Registers a gauge: a value that goes up and down. */
export function readLevel(registry: Registry, { name, help, labels = [], read }: ReadMetric): void {
  new Gauge({
    name,
    help,
    labelNames: labels,
    registers: [registry],
    collect() {
      this.reset();
      for (const [of, value] of read()) this.set(of, value);
    },
  });
}
