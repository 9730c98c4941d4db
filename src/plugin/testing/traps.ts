/** Functions that give another answer at every call. */
const MOVING: [object, string, string][] = [
  [Date, 'now', 'Date.now()'],
  [Math, 'random', 'Math.random()'],
  [performance, 'now', 'performance.now()'],
  [crypto, 'getRandomValues', 'crypto.getRandomValues()'],
  [crypto, 'randomUUID', 'crypto.randomUUID()'],
];

/**
 * Runs something that must ask neither the machine's clock nor its randomness.
 * @throws Error naming what it asked, even if it caught that itself
 */
export function withoutClock<T>(run: () => T): T {
  const asked: string[] = [];
  const refuse = (what: string): never => {
    asked.push(what);
    throw new Error(`it asks ${what}; take request.now and request.random()`);
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

/** `Date` of given moments works, the present one does not. */
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

/** The value with everything in it frozen: writing to it throws. */
export function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const member of Object.values(value)) frozen(member);
  return Object.freeze(value);
}
