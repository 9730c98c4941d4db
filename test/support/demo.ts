import { ingestSamples } from '../../src/cli/fill-demo.ts';
import type { Service } from '../../src/service.ts';

/** Fills a service with the community of `feedloom demo`, as of the service's clock. */
export function fillWithDemo(service: Service): Promise<void> {
  return ingestSamples(service, service.clock.now());
}
