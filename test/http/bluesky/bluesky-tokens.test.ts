import { beforeEach, describe, expect, test } from 'bun:test';
import { secp256k1 } from '@noble/curves/secp256k1';
import fc from 'fast-check';
import { type Claims, DID, newKey, tokenOf } from '../../support/did-server.ts';
import { checkAsync } from '../../support/long.ts';
import { forFile, START, type TestAnswer } from '../../support/service.ts';
import { BlueskyScene, GET_SKELETON, SEND_INTERACTIONS } from '../bluesky-support.ts';

const scene = await forFile(BlueskyScene.open());
await scene.addFeed('home');

beforeEach(() => {
  scene.dids.asked.length = 0;
});

/** A DID that is asked for the first time. */
function newDid(): string {
  return `did:plc:${crypto.randomUUID().replaceAll('-', '').slice(0, 24)}`;
}

const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

function expectRefused({ status, body, headers }: TestAnswer): void {
  expect([status, body.error]).toEqual([401, 'AuthenticationRequired']);
  expect(Object.keys(body)).toEqual(['error', 'message']);
  expect(headers.get('www-authenticate')).toStartWith('Bearer');
}

describe('a service token', () => {
  test.each(['ES256K', 'ES256'] as const)('a token of %s is accepted', async (algorithm) => {
    const did = newDid();
    const key = await newKey(algorithm);
    scene.dids.publish(did, key);
    for (let times = 0; times < 8; times++) {
      const { status } = await scene.skeleton(
        {},
        await tokenOf(key, { ...scene.claims(), iss: did, jti: times }),
      );
      expect(status).toBe(200);
    }
    expect(scene.dids.asked).toEqual([did]);
  });

  test.each<[string, Claims]>([
    ['an audience with a service fragment', { aud: 'did:web:localhost#bsky_fg' }],
    ['an issuer with a fragment', { iss: `${DID}#atproto` }],
    ['no time of issue', { iat: undefined }],
    ['the longest time', { exp: START + 3_600 }],
    ['a clock that is a little ahead', { iat: START + 25 }],
  ])('a token with %s is accepted', async (_, claims) => {
    expect((await scene.skeleton({}, await scene.token(claims))).status).toBe(200);
  });

  test.each<[string, Claims]>([
    ['expired', { exp: START }],
    ['expired long ago', { exp: 1 }],
    ['that lasts longer than an hour', { exp: START + 3_631 }],
    ['that lasts for ever', { exp: 1e300 }],
    ['without expiry', { exp: undefined }],
    ['with a text as expiry', { exp: String(START + 60) }],
    ['of the future', { iat: START + 60 }],
    ['that is not valid yet', { nbf: START + 60 }],
    ['with a text as time of issue', { iat: 'now' }],
    ['for another service', { aud: 'did:web:other.example.com' }],
    ['for another fragment', { aud: 'did:web:localhost#other' }],
    ['for several services', { aud: ['did:web:localhost'] }],
    ['without audience', { aud: undefined }],
    ['for another method', { lxm: SEND_INTERACTIONS }],
    ['for a method in other case', { lxm: GET_SKELETON.toLowerCase() }],
    ['without method', { lxm: undefined }],
    ['for every method', { lxm: '*' }],
    ['without issuer', { iss: undefined }],
    ['with a list of issuers', { iss: [DID] }],
    ['of a handle', { iss: 'alice.example.com' }],
    ['of another method of DIDs', { iss: 'did:key:zQ3shokFTS3brHcDQrn82RUDfCZESWL1ZdCEJwekUDPQiYBme' }],
    ['of a did:plc with a path', { iss: 'did:plc:../x' }],
    ['of two fragments', { iss: `${DID}#a#b` }],
    ['of a did:web with an IP address', { iss: 'did:web:127.0.0.1' }],
    ['of a did:web with a short IP address', { iss: 'did:web:127.1' }],
    ['of a did:web with an IP address in hex', { iss: 'did:web:0x7f.0.0.0x1' }],
    ['of a did:web with an IPv6 address', { iss: 'did:web:%5B%3A%3A1%5D' }],
    ['of a did:web on localhost', { iss: 'did:web:localhost' }],
    ['of a did:web below localhost', { iss: 'did:web:a.localhost' }],
    ['of a did:web in a private network', { iss: 'did:web:router.local' }],
    ['of a did:web with a port', { iss: 'did:web:example.com%3A8443' }],
    ['of a did:web with a path', { iss: 'did:web:example.com:users:alice' }],
    ['of a did:web in upper case', { iss: 'did:web:Example.com' }],
    ['of a did:web with a trailing dot', { iss: 'did:web:example.com.' }],
    ['of a did:web with a user', { iss: 'did:web:a@example.com' }],
  ])('a token %s is refused, and no host is asked', async (_, claims) => {
    const did = newDid();
    expectRefused(await scene.skeleton({}, await scene.token({ iss: did, ...claims })));
    expect(scene.dids.asked).toEqual([]);
  });

  test.each<[string, Claims]>([
    ['without algorithm', { alg: undefined }],
    ['of algorithm none', { alg: 'none' }],
    ['of a symmetric algorithm', { alg: 'HS256' }],
    ['of an unsupported algorithm', { alg: 'EdDSA' }],
    ['of RSA', { alg: 'RS256' }],
    ['with several algorithms', { alg: ['ES256K'] }],
    ['with a critical extension', { crit: ['b64'], b64: false }],
    ['that is an access token', { typ: 'at+jwt' }],
    ['that is a refresh token', { typ: 'refresh+jwt' }],
    ['with a list of types', { typ: ['JWT'] }],
    ['whose type cannot be turned into a text', { typ: { toString: 1, valueOf: 1 } }],
  ])('a token %s is refused, and no host is asked', async (_, header) => {
    expectRefused(await scene.skeleton({}, await scene.token({ iss: newDid() }, header)));
    expect(scene.dids.asked).toEqual([]);
  });

  test('a text that is no token is refused, and no host is asked', async () => {
    const token = await scene.token({ iss: newDid() });
    const [header, claims, signature] = token.split('.');
    const texts = [
      'x',
      'test-key',
      '..',
      'a.b',
      `${token}.x`,
      `${header}.${claims}.`,
      `${header}.${claims}.${signature}A`,
      `${header}.${claims}.${signature.slice(0, 80)}`,
      `${header}.${claims}.${signature.slice(0, 85)}=`,
      `${encoded(null)}.${claims}.${signature}`,
      `${header}.${encoded([])}.${signature}`,
      `${header}.${Buffer.from('{').toString('base64url')}.${signature}`,
      `${header}.${Buffer.from([0xff, 0xfe]).toString('base64url')}.${signature}`,
      await scene.token({ iss: newDid(), jti: 'x'.repeat(5_000) }),
    ];
    for (const text of texts) expectRefused(await scene.skeleton({}, text));
    const path = `/xrpc/${GET_SKELETON}?feed=x`;
    for (const authorization of [`Basic ${token}`, 'Bearer', token, `Bearer ${token} ${token}`])
      expectRefused(await scene.server.call('GET', path, undefined, { authorization }));
    expect(scene.dids.asked).toEqual([]);
  });

  test('no text makes the service fail or ask a host', async () => {
    const part = fc.oneof(
      fc.base64String(),
      fc.string(),
      fc.json().map((json) => Buffer.from(json).toString('base64url')),
    );
    const text = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('.'));
    // Other bytes cannot stand in a header.
    const sent = text.map((token) => token.replace(/[^!-~]/g, 'x'));
    await checkAsync(200, [sent], async (token) => expectRefused(await scene.skeleton({}, token)));
    expect(scene.dids.asked).toEqual([]);
  });

  test('a token that another key has signed is refused', async () => {
    const other = await newKey();
    expectRefused(await scene.skeleton({}, await tokenOf(other, scene.claims())));
    const [header, , signature] = (await scene.token()).split('.');
    expectRefused(
      await scene.skeleton({}, `${header}.${encoded({ ...scene.claims(), jti: 'two' })}.${signature}`),
    );
  });

  test('a token whose algorithm is not that of the key is refused', async () => {
    const p256 = await newKey('ES256');
    expectRefused(await scene.skeleton({}, await tokenOf(p256, scene.claims())));
    expectRefused(await scene.skeleton({}, await tokenOf(p256, scene.claims(), { alg: 'ES256K' })));
    expectRefused(await scene.skeleton({}, await scene.token({}, { alg: 'ES256' })));
  });

  test('a signature of ES256K with the higher of the two numbers is refused', async () => {
    const token = await scene.token();
    const [header, claims, signature] = token.split('.');
    const low = secp256k1.Signature.fromCompact(Buffer.from(signature, 'base64url'));
    const high = new secp256k1.Signature(low.r, secp256k1.CURVE.n - low.s).toCompactRawBytes();
    expect((await scene.skeleton({}, token)).status).toBe(200);
    expectRefused(await scene.skeleton({}, `${header}.${claims}.${Buffer.from(high).toString('base64url')}`));
  });

  test('a token of an account that the directory does not know, or whose document is bad, is refused', async () => {
    const key = await newKey();
    const other = newDid();
    const documents: [string, unknown][] = [
      ['nothing', undefined],
      ['of another account', { id: other, verificationMethod: [{ id: '#atproto', type: 'Multikey' }] }],
      ['no keys', { verificationMethod: [] }],
      ['no list', { verificationMethod: 7 }],
      [
        'a key that is none',
        { verificationMethod: [{ id: '#atproto', type: 'Multikey', publicKeyMultibase: 'zzz' }] },
      ],
      [
        'an unknown type',
        { verificationMethod: [{ id: '#atproto', type: 'x', publicKeyMultibase: key.did().slice(8) }] },
      ],
      [
        'another use',
        { verificationMethod: [{ id: '#other', type: 'Multikey', publicKeyMultibase: key.did().slice(8) }] },
      ],
      ['null', null],
    ];
    for (const [, document] of documents) {
      const did = newDid();
      if (document !== undefined) {
        const whole = document === null ? null : { id: did, ...(document as object) };
        scene.dids.answers.set(did, () => Response.json(whole));
      }
      expectRefused(await scene.skeleton({}, await tokenOf(key, { ...scene.claims(), iss: did })));
    }
  });

  test('keys that are far too long are not decoded, which would block the service for seconds', async () => {
    const key = await newKey();
    const keys = ['Multikey', 'EcdsaSecp256k1VerificationKey2019'].flatMap((type) =>
      ['zQ3s', 'z'].map((start) => ({ type, publicKeyMultibase: start + 'z'.repeat(60_000) })),
    );
    for (const method of keys) {
      const did = newDid();
      const document = { id: did, verificationMethod: [{ id: '#atproto', ...method }] };
      scene.dids.answers.set(did, () => Response.json(document));
      expectRefused(await scene.skeleton({}, await tokenOf(key, { ...scene.claims(), iss: did })));
    }
  });

  test('a document that is huge, a redirect or no JSON is refused', async () => {
    const key = await newKey();
    const goal = newDid();
    scene.dids.publish(goal, key);
    const answers = [
      () => new Response('x'.repeat(100_000)),
      () => new Response('{'),
      () => Response.redirect(`${scene.dids.url}/${goal}`),
      () => new Response('', { status: 500 }),
    ];
    for (const answer of answers) {
      const did = newDid();
      scene.dids.answers.set(did, answer);
      expectRefused(await scene.skeleton({}, await tokenOf(key, { ...scene.claims(), iss: did })));
    }
    expect(scene.dids.asked).not.toContain(goal);
  });

  test('a slow directory delays only those whose documents are read, and calls of one account share a request', async () => {
    const did = newDid();
    const key = await newKey();
    const { promise: asked, resolve: arrived } = Promise.withResolvers<void>();
    const { promise: answer, resolve: goOn } = Promise.withResolvers<void>();
    scene.dids.answers.set(did, async () => {
      arrived();
      await answer;
      return new Response('{}');
    });
    const token = await tokenOf(key, { ...scene.claims(), iss: did });
    const waiting = [1, 2, 3].map(() => scene.skeleton({}, token));
    await asked;
    expect((await scene.skeleton({}, await scene.token())).status).toBe(200);
    expect((await scene.skeleton()).status).toBe(200);
    goOn();
    for (const refused of await Promise.all(waiting)) expectRefused(refused);
    expect(scene.dids.asked.filter((one) => one === did)).toHaveLength(1);
  });
});
