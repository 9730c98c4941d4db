import { describe, expect, test } from 'bun:test';
import { SCOPES } from '../../../src/store/keys.ts';
import { forFile, openTestServer, type TestAnswer } from '../../support/service.ts';
import { newAccount } from '../config-support.ts';
import { OPERATIONS } from '../documented.ts';

/** Every documented operation that needs a key, without one, or with one that has not the rights. */

const WITH_KEY = OPERATIONS.filter(({ operation }) => operation.security.length > 0);
const WITH_SCOPE = WITH_KEY.filter(({ scopes }) => scopes.length > 0).map((operation) => ({
  ...operation,
  needed: operation.scopes.join(' or '),
}));
/** Operations that a client app may call with a viewer token. */
const IS_FOR_VIEWERS =
  /\/(?:impressions|(?:feeds|casts\/feed)\/[\w-]+(?:\/explain)?|users\/recommended|users\/(?:\{id\}\/)?preferences|(?:users|items)\/(?:\{id\}\/)?similar)$/;
const server = await forFile(openTestServer());
/** Headers of a key that has only these scopes. */
const headersWith = new Map<string, Record<string, string>>();
for (const { scopes } of WITH_SCOPE)
  for (const some of [scopes.slice(0, 1), SCOPES.filter((scope) => !scopes.includes(scope))])
    if (!headersWith.has(some.join()))
      headersWith.set(some.join(), (await newAccount(server, 'acme', ...some)).headers);
const token = (await server.post('/api/tokens', { user_id: 'ann', ttl_seconds: 60 })).body.token;

type Asked = Pick<(typeof OPERATIONS)[number], 'method' | 'path'>;

/** A request whose body must not be read. */
function ask({ method, path }: Asked, headers: Record<string, string> = {}): Promise<TestAnswer> {
  // The parameters choose the read at paths that are also those of records, such as `/items/similar`.
  const address = `${path.replace(/\{\w+\}/g, 'x')}?item_id=x&user_id=x`;
  return server.call(method, address, /^(GET|DELETE)$/.test(method) ? undefined : '{broken', headers);
}

test('there are documented operations for every scope', () => {
  expect(new Set(WITH_SCOPE.flatMap(({ scopes }) => scopes))).toEqual(new Set(SCOPES));
});

describe.each(WITH_KEY)('$name', (operation) => {
  test('without a key, or with one that is not known, is a 401 before anything else', async () => {
    const unknown: Record<string, string> = { authorization: 'Bearer unknown' };
    for (const headers of [undefined, unknown]) {
      const { status, body, headers: answered } = await ask(operation, headers);
      expect([status, body.code]).toEqual([401, 'unauthorized']);
      // A challenge for Basic would have browsers ask for a name and a password.
      expect(answered.get('www-authenticate')).toBe('Bearer realm="feedloom"');
    }
  });
});

test.each(WITH_SCOPE)('$name needs the scope $needed, and no other', async (operation) => {
  const { scopes, needed } = operation;
  const others = SCOPES.filter((scope) => !scopes.includes(scope));
  const { status, body } = await ask(operation, headersWith.get(others.join()));
  expect([status, body.code, body.detail]).toEqual([403, 'forbidden', `this key lacks the scope ${needed}`]);
  const admitted = await ask(operation, headersWith.get(scopes[0]));
  expect([401, 403]).not.toContain(admitted.status);
});

test.each(WITH_KEY.filter(({ path }) => !IS_FOR_VIEWERS.test(path)))(
  '$name refuses a viewer token',
  async (operation) => {
    const { status, body } = await ask(operation, { authorization: `Bearer ${token}` });
    expect([status, body.code]).toEqual([403, 'forbidden']);
    expect(body.detail).toStartWith('a viewer token only reads the feeds of its viewer; send a key here');
  },
);
