import { Counter, Gauge, type Registry } from 'prom-client';

export type Sample = [labels: Record<string, string | number>, value: number];

/** A metric that is not moved when something happens: what is known anyway is read when it is asked for. */
export interface ReadMetric {
  name: string;
  help: string;
  /** Names of the labels that samples have. */
  labels?: readonly string[];
  read(): Iterable<Sample>;
}

/** Something that only grows, from 0 at the start. */
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

/** Something that goes up and down. */
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
