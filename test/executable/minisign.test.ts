import { describe, expect, test } from 'bun:test';
import { scryptSync } from 'node:crypto';
import { readSigningKey, signature } from '../../.ci/minisign.ts';
import { longTest } from '../support/long.ts';
import { SIGNING_KEY as KEY, PUBLIC_KEY } from './signing-key.ts';

/** Signatures by keys that minisign 0.11 made. */

/** Of the text "hello" with a line end, by `minisign -S -t 'timestamp:1 file:x'`. */
const SIGNATURE = `untrusted comment: signature from minisign secret key
RUTPG1lCp7GOvIlePtmKzmYUnPdwsLnPFaGntlbO5AzZ4xXCvTFRKTVb4PCUkkXTkvyioV2P9IR0U8fB5e+M10wc3cKP26ETZwo=
trusted comment: timestamp:1 file:x
oEX5K2MtgTkgYG541vrbRQmHM1wArUa61FKWVzwt0WdtgeCtrTLW+szz6fjz1daDJjHASKo9PT7FGdRPcuZjAA==
`;

/** Its password is "pw". It signs nothing. */
const KEY_WITH_PASSWORD = `untrusted comment: minisign encrypted secret key
RWRTY0IyMq8QBWtNK/r6MEEFMgBkrUH9oB2tW9L8uxUFOX5CzfcAAAACAAAAAAAAAEAAAAAAi80hPmh+cDwNsN0HP4pOEep64+XBw0LOKThwZHyxsYQOmr4yOQrqPfOr14eVUzo8id4vdOujOTXYZMgjFuZJqONKAuQD/DhGTpOUrg8Lkt6Vc3on+up5L2kDy4LGbT/3y63/mZwlmZ0=
`;

/** The key without a password, with one, at a cost that tests can pay. */
function withPassword(password: string): string {
  const bytes = Buffer.from(KEY.split('\n')[1], 'base64');
  bytes.write('Sc', 2);
  bytes.fill(7, 6, 38);
  bytes.writeBigUInt64LE(1n << 20n, 46);
  const mask = scryptSync(password, bytes.subarray(6, 38), 104, { cost: 1024, blockSize: 8 });
  for (const [at, byte] of mask.entries()) bytes[54 + at] ^= byte;
  return bytes.toString('base64');
}

describe('a signature of a release', () => {
  test('is the one that minisign makes of the same text, by the file of the key or by its last line', () => {
    for (const text of [KEY, KEY.split('\n')[1]]) {
      const key = readSigningKey(text);
      expect(key.public).toBe(PUBLIC_KEY);
      expect(signature(key, Buffer.from('hello\n'), 'timestamp:1 file:x')).toBe(SIGNATURE);
    }
  });

  test('is made by a key with a password, if the password is right', () => {
    const text = withPassword('a word');
    expect(readSigningKey(text, 'a word').public).toBe(PUBLIC_KEY);
    expect(() => readSigningKey(text, 'another word')).toThrow('its password is wrong');
    expect(() => readSigningKey(text)).toThrow('the signing key has a password, which is not set');
  });

  longTest(
    'is made by a key that minisign has encrypted',
    async () => {
      const { public: public_key } = readSigningKey(KEY_WITH_PASSWORD, 'pw');
      expect(public_key).toBe('RWSk2GkyjiZhOFxYI05vW5cSru+NGmk5QHyXAQCa3xFG+pkojuslJNVx');
    },
    60_000,
  );

  test.each(['', 'noise', PUBLIC_KEY])('is refused for %j, which is no secret key', (text) => {
    expect(() => readSigningKey(text)).toThrow('is not a secret key of minisign');
  });

  test('is refused for a damaged key', () => {
    expect(() => readSigningKey(KEY.replace('VdktGes', 'VdktGet'))).toThrow('damaged');
  });
});
