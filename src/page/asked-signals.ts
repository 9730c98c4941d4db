import type { RequestContext } from '../plugin/index.ts';

/**
 * Wraps a request and records which signals it computes.
 *
 * Slow, since it binds each method per call: for explanations.
 */
export function notingSignals(request: RequestContext, asked: Set<string>): RequestContext {
  const signal: RequestContext['signal'] = (name) => {
    asked.add(name);
    return request.signal(name);
  };
  return new Proxy(request, {
    get(target, name) {
      if (name === 'signal') return signal;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
