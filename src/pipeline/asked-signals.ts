import type { RequestContext } from '../plugin/index.ts';

/**
 * A request that notes which signals it is asked for. Slow (each method is bound anew at each call): for
 * explanations only.
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
