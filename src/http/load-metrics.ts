import type { Registry } from 'prom-client';
import type { LoadGauge } from '../serve/load-gauge.ts';
import type { Service } from '../service.ts';
import { readLevel, type Sample } from './read-metrics.ts';

/** How late the event loop is, and what follows from it. */
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
    'How late the event loop is, smoothed: what effort follows from.',
    ({ lag_ms }) => lag_ms / 1000,
  );
  level(
    'feedloom_effort',
    'How widely pages are looked for: 1, or 0.5 or 0.25 under load.',
    ({ effort }) => effort,
  );
}
