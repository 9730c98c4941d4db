import type { Registry } from 'prom-client';
import type { LoadGauge } from '../serve/load-gauge.ts';
import type { Service } from '../service.ts';
import { readLevel, type Sample } from './read-metrics.ts';

/** Metrics of the event loop's lag, and of the load shedding that follows from it. */
export function readLoad(registry: Registry, service: () => Service | undefined): void {
  const level = (name: string, help: string, value: (load: LoadGauge) => number) => {
    const read = (): Sample[] => {
      const load = service()?.load;
      return load === undefined ? [] : [[{}, value(load)]];
    };
    readLevel(registry, { name, help, read });
  };
  level(
    'feedloom_load_lag_seconds',
    'Lag of the event loop, smoothed. It determines the effort.',
    ({ lag_ms }) => lag_ms / 1000,
  );
  level(
    'feedloom_effort',
    'Share of the usual candidates that a page searches: 1, or 0.5 or 0.25 under load.',
    ({ effort }) => effort,
  );
}
