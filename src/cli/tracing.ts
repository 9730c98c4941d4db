import type { Logger } from 'pino';
import { freshSeed, monotonicMs, seededRandom, systemClock, systemTimers } from '../clock.ts';
import type { Settings } from '../settings.ts';
import { Exporter } from '../tracing/exporter.ts';
import { Tracer } from '../tracing/tracer.ts';
import { thisVersion } from '../version.ts';

/** The tracer of the settings. Undefined without an endpoint. */
export function createTracer(
  { otlp_endpoint, otlp_headers = {}, service_name, traces_sampler_arg }: Settings,
  log: Logger,
): Tracer | undefined {
  if (otlp_endpoint === undefined) return undefined;
  const { version } = thisVersion();
  const exporter = new Exporter({
    endpoint: otlp_endpoint,
    headers: otlp_headers,
    resource: { service_name, version, instance_id: crypto.randomUUID() },
    timers: systemTimers,
    monotonicMs,
    log,
  });
  const time = { now: () => systemClock.now(), monotonicMs };
  return new Tracer(exporter, time, traces_sampler_arg, seededRandom(freshSeed()));
}
