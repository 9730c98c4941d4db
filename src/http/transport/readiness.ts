import { ServiceError } from '../../errors.ts';
import { LIMITS } from '../../limits.ts';
import type { Service } from '../../service.ts';

const RETRY_AFTER_SECONDS = 5;

export function loading(): ServiceError {
  return new ServiceError('loading', 'the service is loading its state', undefined, 1);
}

export function shuttingDown(): ServiceError {
  const detail = 'the service is shutting down';
  return new ServiceError('shutting_down', detail, undefined, RETRY_AFTER_SECONDS);
}

/** Why a load balancer should not route requests here, judged by the stores. Undefined: they work. */
export function storeFaultOf({
  store,
  alpha,
  cluster,
  settings,
}: Pick<Service, 'store' | 'alpha' | 'cluster' | 'settings'>): ServiceError | undefined {
  const stores = [store, alpha.community?.store];
  if (stores.some((each) => each?.is_stopped))
    return unavailable('nothing can be written any more; start the service again (the log says why)');
  if (stores.some((each) => each?.is_silent))
    return unavailable(`the store has not answered for ${LIMITS.store_patience_seconds} s or more`);
  if (cluster !== undefined && cluster.lag_seconds > settings.staleness_max_s)
    return unavailable(`pages may be older than ${settings.staleness_max_s} s: the database does not answer`);
  return undefined;
}

function unavailable(detail: string): ServiceError {
  return new ServiceError('store_unavailable', detail, undefined, RETRY_AFTER_SECONDS);
}
