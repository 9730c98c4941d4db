import { type Keypair, P256Keypair, Secp256k1Keypair } from '@atproto/crypto';

export type Claims = Record<string, unknown>;

export const DID = 'did:plc:z72i7hdynmk6r22z27h6tvur';

/** A directory of did:plc on a port of its own. */
export class DidServer {
  /** The DIDs that were asked for, in order. */
  readonly asked: string[] = [];
  /** Answers by DID. Others are not found. */
  readonly answers = new Map<string, () => Response | Promise<Response>>();
  private readonly server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: (request) => {
      const did = decodeURIComponent(new URL(request.url).pathname.slice(1));
      this.asked.push(did);
      return this.answers.get(did)?.() ?? new Response('{}', { status: 404 });
    },
  });

  get url(): string {
    return `http://127.0.0.1:${this.server.port}`;
  }

  /** Makes `did` known with this key. */
  publish(did: string, key: Pick<Keypair, 'did'>): void {
    this.answers.set(did, () => Response.json(documentOf(did, key)));
  }

  close(): Promise<void> {
    return this.server.stop(true);
  }
}

/** A DID document with one signing key. */
export function documentOf(did: string, key: Pick<Keypair, 'did'>): object {
  return {
    '@context': ['https://www.w3.org/ns/did/v1', 'https://w3id.org/security/multikey/v1'],
    id: did,
    alsoKnownAs: ['at://alice.example.com'],
    verificationMethod: [
      {
        id: `${did}#atproto`,
        type: 'Multikey',
        controller: did,
        publicKeyMultibase: key.did().slice('did:key:'.length),
      },
    ],
    service: [],
  };
}

export function newKey(algorithm: 'ES256K' | 'ES256' = 'ES256K'): Promise<Keypair> {
  return algorithm === 'ES256K' ? Secp256k1Keypair.create() : P256Keypair.create();
}

const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A token with these claims, signed with the key. @param header replaces fields of the usual one */
export async function tokenOf(key: Keypair, claims: Claims, header: Claims = {}): Promise<string> {
  const text = `${encoded({ typ: 'JWT', alg: key.jwtAlg, ...header })}.${encoded(claims)}`;
  const signature = await key.sign(new TextEncoder().encode(text));
  return `${text}.${Buffer.from(signature).toString('base64url')}`;
}
