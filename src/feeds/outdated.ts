import { invalidValue, ServiceError } from '../errors.ts';
import type { Registry } from '../registry/registry.ts';
import { type CheckedFeed, missingPlugins } from './feed-object.ts';

/** Why a stored feed cannot be built with the plugins that are loaded now. Undefined if it can. */
export function outdated(
  registry: Registry,
  feed_id: string,
  { parameters, faults }: CheckedFeed,
): ServiceError | undefined {
  if (faults.length === 0) return undefined;
  const missing = missingPlugins(registry, parameters);
  if (missing.length === 0) {
    const detail = `the feed '${feed_id}' is not valid any more: ${invalidValue(faults).detail}`;
    return new ServiceError('feed_outdated', detail);
  }
  const are = missing.length === 1 ? 'is' : 'are';
  const detail = `the feed '${feed_id}' uses ${missing.join(', ')}, which ${are} not loaded`;
  return new ServiceError('plugin_not_loaded', detail);
}
