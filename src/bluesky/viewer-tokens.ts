import { verifySignature } from '@atproto/crypto';
import type { Clock } from '../clock.ts';
import type { SigningKeys } from './signing-keys.ts';
import { type Purpose, readToken, refused, type UnverifiedToken } from './token.ts';

interface Options {
  clock: Clock;
  keys: Pick<SigningKeys, 'keyOf' | 'newerKeyOf' | 'confirm'>;
}

const BEARER = /^bearer +(\S+)$/i;

/** Verifies service tokens, with which a personal data server calls on behalf of its account. */
export class ViewerTokens {
  constructor(private readonly options: Options) {}

  /**
   * The DID of the account that calls. Undefined without a token.
   *
   * The claims are checked before a key is fetched, see `bluesky-1`.
   * @param authorization the header
   * @throws ServiceError `unauthorized`, `overloaded`
   */
  async viewerOf(
    authorization: string | null,
    purpose: Pick<Purpose, 'audience' | 'method'>,
  ): Promise<string | undefined> {
    if (authorization === null || authorization.trim() === '') return undefined;
    const [, sent] = BEARER.exec(authorization.trim()) ?? [];
    if (sent === undefined) throw refused('must be sent as Authorization: Bearer <token>');
    const token = readToken(sent, { ...purpose, now: this.options.clock.now() });
    await this.verify(token);
    return token.issuer;
  }

  private async verify(token: UnverifiedToken): Promise<void> {
    const { keys } = this.options;
    const key = await keys.keyOf(token.issuer);
    if (!(await isSignedBy(key, token))) {
      // The account may have a new key.
      const newer = await keys.newerKeyOf(token.issuer, key);
      if (newer === undefined || !(await isSignedBy(newer, token)))
        throw refused('is not signed with the key of its issuer');
    }
    keys.confirm(token.issuer);
  }
}

async function isSignedBy(key: string, { algorithm, signed, signature }: UnverifiedToken): Promise<boolean> {
  // AT Protocol wants the lower of the two valid signatures. Common libraries for ES256 do not normalise it.
  const allowMalleableSig = algorithm === 'ES256';
  try {
    return await verifySignature(key, signed, signature, { jwtAlg: algorithm, allowMalleableSig });
  } catch {
    // The key is of another curve.
    return false;
  }
}
