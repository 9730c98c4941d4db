import { describe, expect, test } from 'bun:test';
import { NoSuchDocument } from '../../src/bluesky/did-hosts.ts';
import { SigningKeys } from '../../src/bluesky/signing-keys.ts';
import { ServiceError } from '../../src/errors.ts';
import { LIMITS } from '../../src/limits.ts';
import { DID, documentOf, newKey } from '../support/did-server.ts';

const WEB = 'did:web:alice.example.com';

/** Keys whose documents the test decides, with a clock that it sets. */
async function newScene() {
  const scene = {
    now_ms: 0,
    asked: [] as string[],
    key: await newKey(),
    answer: async (did: string): Promise<unknown> => documentOf(did, scene.key),
  };
  const document = (did: string) => {
    scene.asked.push(did);
    return scene.answer(did);
  };
  const keys = new SigningKeys({
    hosts: { document },
    monotonicMs: () => scene.now_ms,
    isUser: (did) => did.startsWith('did:plc:user'),
  });
  return { scene, keys };
}

const failureOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error) => error,
  );

async function expectRefused(promise: Promise<unknown>, code = 'unauthorized'): Promise<void> {
  const failure = await failureOf(promise);
  expect(failure).toBeInstanceOf(ServiceError);
  expect((failure as ServiceError).code).toBe(code as ServiceError['code']);
}

describe('a signing key', () => {
  test('it is cached for ten minutes', async () => {
    const { scene, keys } = await newScene();
    expect(await keys.keyOf(DID)).toBe(scene.key.did());
    scene.now_ms = 599_999;
    await keys.keyOf(DID);
    expect(scene.asked).toHaveLength(1);
    scene.now_ms = 600_000;
    await keys.keyOf(DID);
    expect(scene.asked).toHaveLength(2);
  });

  test('concurrent calls share one request', async () => {
    const { scene, keys } = await newScene();
    const found = await Promise.all([keys.keyOf(DID), keys.keyOf(DID), keys.keyOf(DID)]);
    expect(new Set(found).size).toBe(1);
    expect(scene.asked).toEqual([DID]);
  });

  test('a DID without a key is cached for a minute, a failure of the directory for five seconds, and one of a host for a minute', async () => {
    for (const [did, error, kept_ms] of [
      [DID, new NoSuchDocument('not found'), 60_000],
      [DID, new Error('no answer'), 5_000],
      [WEB, new Error('no answer'), 60_000],
    ] as const) {
      const { scene, keys } = await newScene();
      scene.answer = () => Promise.reject(error);
      await expectRefused(keys.keyOf(did));
      scene.now_ms = kept_ms - 1;
      await expectRefused(keys.keyOf(did));
      expect(scene.asked).toHaveLength(1);
      scene.now_ms = kept_ms;
      await expectRefused(keys.keyOf(did));
      expect(scene.asked).toHaveLength(2);
    }
  });

  test('a newer key is fetched at most every 30 seconds', async () => {
    const { scene, keys } = await newScene();
    const former = await keys.keyOf(DID);
    scene.key = await newKey();
    scene.now_ms = 29_999;
    expect(await keys.newerKeyOf(DID, former)).toBeUndefined();
    expect(scene.asked).toHaveLength(1);
    scene.now_ms = 30_000;
    expect(await keys.newerKeyOf(DID, former)).toBe(scene.key.did());
    expect(await keys.keyOf(DID)).toBe(scene.key.did());
    expect(await keys.newerKeyOf(DID, scene.key.did())).toBeUndefined();
    expect(scene.asked).toHaveLength(2);
  });

  test('a cached key stays when it cannot be fetched again', async () => {
    const { scene, keys } = await newScene();
    const key = await keys.keyOf(DID);
    scene.answer = () => Promise.reject(new Error('no answer'));
    scene.now_ms = 40_000;
    for (let call = 0; call < 5; call++) expect(await keys.newerKeyOf(DID, key)).toBeUndefined();
    expect(scene.asked).toHaveLength(2);
    expect(await keys.keyOf(DID)).toBe(key);
  });

  test('a key that was revoked is gone when it is fetched again', async () => {
    const { scene, keys } = await newScene();
    const key = await keys.keyOf(DID);
    scene.answer = () => Promise.reject(new NoSuchDocument('gone'));
    scene.now_ms = 40_000;
    await expectRefused(keys.newerKeyOf(DID, key));
    await expectRefused(keys.keyOf(DID));
  });

  test('slow hosts of did:web are bounded, and delay no account of did:plc', async () => {
    const { scene, keys } = await newScene();
    const { promise, reject } = Promise.withResolvers<unknown>();
    const answer = scene.answer;
    scene.answer = (did) => (did.startsWith('did:web:') ? promise : answer(did));
    const slow = Array.from({ length: 16 }, (_, index) =>
      failureOf(keys.keyOf(`did:web:a${index}.example.com`)),
    );
    await expectRefused(keys.keyOf(WEB), 'overloaded');
    expect(await keys.keyOf(DID)).toBe(scene.key.did());
    reject(new Error('no answer'));
    for (const failure of slow) await expectRefused(failure.then((error) => Promise.reject(error)));
    scene.answer = answer;
    expect(await keys.keyOf(WEB)).toBe(scene.key.did());
  });

  test('forged tokens of other accounts do not evict the key of an account that has signed', async () => {
    const { scene, keys } = await newScene();
    await keys.keyOf(DID);
    keys.confirm(DID);
    scene.answer = () => Promise.reject(new NoSuchDocument('not found'));
    for (let index = 0; index < 20_001; index++) await failureOf(keys.keyOf(`did:plc:other${index}`));
    scene.asked.length = 0;
    expect(await keys.keyOf(DID)).toBe(scene.key.did());
    expect(scene.asked).toEqual([]);
  });

  test('forged tokens of other accounts do not delay an account that has signed', async () => {
    const { scene, keys } = await newScene();
    await keys.keyOf(DID);
    keys.confirm(DID);
    scene.now_ms = 600_000;
    const { answer } = scene;
    const { promise, reject } = Promise.withResolvers<unknown>();
    scene.answer = (did) => (did === DID ? answer(did) : promise);
    const forged = Array.from({ length: 64 }, (_, index) => failureOf(keys.keyOf(`did:plc:other${index}`)));
    await expectRefused(keys.keyOf('did:plc:late'), 'overloaded');
    expect(await keys.keyOf(DID)).toBe(scene.key.did());
    reject(new Error('no answer'));
    for (const failure of forged) await expectRefused(failure.then((error) => Promise.reject(error)));
  });

  test('documents of accounts that have not signed are read at a limited rate, those of others at any time', async () => {
    const { scene, keys } = await newScene();
    const plc = (index: number) => `did:plc:other${index}`;
    const web = (index: number) => `did:web:a${index}.example.com`;
    await keys.keyOf(DID);
    keys.confirm(DID);
    const key = scene.key.did();
    for (const [name, per_minute] of [
      [plc, LIMITS.bluesky_plc_documents_per_minute - 1],
      [web, LIMITS.bluesky_web_documents_per_minute],
    ] as const) {
      for (let index = 0; index < per_minute; index++) expect(await keys.keyOf(name(index))).toBe(key);
      const refused = await failureOf(keys.keyOf(name(per_minute)));
      expect(refused).toMatchObject({ code: 'overloaded', retry_after_seconds: 1 });
      expect(await keys.keyOf(name(0))).toBe(key);
    }
    scene.asked.length = 0;
    scene.now_ms = 1_000;
    expect(await keys.keyOf(web(60))).toBe(key);
    await expectRefused(keys.keyOf(web(61)), 'overloaded');
    for (let index = 0; index < 10; index++) await keys.keyOf(plc(1_000 + index));
    await expectRefused(keys.keyOf(plc(1_010)), 'overloaded');
    expect(scene.asked).toHaveLength(11);
  });

  test('forged tokens of invented accounts delay no user of the community', async () => {
    const { keys } = await newScene();
    for (let forged = 0; forged < LIMITS.bluesky_plc_documents_per_minute; forged++)
      await keys.keyOf(`did:plc:invented${forged}`);
    await expectRefused(keys.keyOf('did:plc:invented'), 'overloaded');
    expect(await failureOf(keys.keyOf('did:plc:user1'))).toBeUndefined();
  });

  test('forged tokens of an account that has signed count as well, and its own key is read again all the same', async () => {
    const { scene, keys } = await newScene();
    const dids = Array.from({ length: 700 }, (_, index) => `did:plc:known${index}`);
    for (const [index, did] of dids.entries()) {
      scene.now_ms = index * 100;
      await keys.keyOf(did);
      keys.confirm(did);
    }
    scene.now_ms += 60_000;
    scene.asked.length = 0;
    for (const did of dids) await failureOf(keys.newerKeyOf(did, scene.key.did()));
    expect(scene.asked).toHaveLength(LIMITS.bluesky_plc_documents_per_minute);
    scene.now_ms += 600_000;
    scene.asked.length = 0;
    for (const did of dids) await keys.keyOf(did);
    expect(scene.asked).toEqual(dids);
  });
});
