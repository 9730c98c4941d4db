/** Functions with a different result at each call. */
const MOVING: [object, string, string][] = [
  [Date, 'now', 'Date.now()'],
  [Math, 'random', 'Math.random()'],
  [performance, 'now', 'performance.now()'],
  [crypto, 'getRandomValues', 'crypto.getRandomValues()'],
  [crypto, 'randomUUID', 'crypto.randomUUID()'],
];

/**
 * Runs a function that may use neither the clock nor randomness of the machine.
 * @throws Error that names the function that was called, even if the caller caught the trap's error
 */
export function withoutClock<T>(run: () => T): T {
  const asked: string[] = [];
  const refuse = (what: string): never => {
    asked.push(what);
    throw new Error(`it uses ${what}; use request.now and request.random() instead`);
  };
  const restore: (() => void)[] = [];
  try {
    for (const [owner, name, what] of MOVING) restore.push(replace(owner, name, () => refuse(what)));
    restore.push(replace(globalThis, 'Date', dateWithoutClock(refuse)));
    const result = run();
    if (asked.length > 0) refuse(asked[0]);
    return result;
  } finally {
    for (const undo of restore) undo();
  }
}

/** A `Date` that accepts explicit moments but not the current one. */
function dateWithoutClock(refuse: (what: string) => never): DateConstructor {
  return new Proxy(Date, {
    construct: (target, args) => (args.length === 0 ? refuse('new Date()') : Reflect.construct(target, args)),
    apply: () => refuse('Date()'),
  });
}

function replace(owner: object, name: string, value: unknown): () => void {
  const own = Object.getOwnPropertyDescriptor(owner, name);
  Object.defineProperty(owner, name, { value, configurable: true, writable: true });
  return () => {
    if (own === undefined) Reflect.deleteProperty(owner, name);
    else Object.defineProperty(owner, name, own);
  };
}

/** Freezes a value deeply, so that writing to any part throws. */
export function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const member of Object.values(value)) frozen(member);
  return Object.freeze(value);
}
