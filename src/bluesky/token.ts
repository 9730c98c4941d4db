import type { Seconds } from '../clock.ts';
import { ServiceError } from '../errors.ts';
import { LIMITS } from '../limits.ts';
import { isPlcDid, publicWebHost } from './did.ts';

export interface Purpose {
  /** The DID of this service. */
  audience: string;
  /** The XRPC method that is called, such as `app.bsky.feed.getFeedSkeleton`. */
  method: string;
  now: Seconds;
}

export type Algorithm = 'ES256K' | 'ES256';

/** A token whose claims are right, and whose signature has not been verified. */
export interface UnverifiedToken {
  /** The DID that signed it, without a fragment. */
  issuer: string;
  algorithm: Algorithm;
  signed: Uint8Array;
  signature: Uint8Array;
}

/** Tokens of servers have some 400 characters. */
const TOKEN_LENGTH_MAX = 4_096;
/** How far the clocks of two servers may differ. */
const LEEWAY_SECONDS = 30;
/** Both algorithms sign with two numbers of 32 bytes. */
const SIGNATURE_BYTES = 64;
/** The fragment that clients add to the DID of a feed generator. */
const SERVICE_FRAGMENT = '#bsky_fg';
const BASE64URL = /^[A-Za-z0-9_-]+$/;

type Json = Record<string, unknown>;

/**
 * Reads a service token (a JWT, RFC 7519) and checks everything but its signature. Nothing is fetched.
 * @throws ServiceError `unauthorized`
 */
export function readToken(token: string, { audience, method, now }: Purpose): UnverifiedToken {
  if (token.length > TOKEN_LENGTH_MAX) throw refused(`has more than ${TOKEN_LENGTH_MAX} characters`);
  const parts = token.split('.');
  if (parts.length !== 3 || !parts.every((part) => BASE64URL.test(part))) throw refused('is not a JWT');
  const [header, claims, signature] = parts;
  const algorithm = algorithmOf(jsonOf(header, 'header'));
  const issuer = issuerOf(jsonOf(claims, 'claims'), { audience, method, now });
  const signature_bytes = Buffer.from(signature, 'base64url');
  if (signature_bytes.length !== SIGNATURE_BYTES)
    throw refused(`must have a signature of ${SIGNATURE_BYTES} bytes`);
  const signed = Buffer.from(`${header}.${claims}`);
  return { issuer, algorithm, signed: new Uint8Array(signed), signature: new Uint8Array(signature_bytes) };
}

function algorithmOf({ alg, typ, crit }: Json): Algorithm {
  if (alg !== 'ES256K' && alg !== 'ES256') throw refused("must be signed with 'alg' ES256K or ES256");
  // Access tokens of a personal data server have other types. They are no proof for a third party.
  const is_jwt = typ === undefined || (typeof typ === 'string' && typ.toUpperCase() === 'JWT');
  if (!is_jwt) throw refused("must have the 'typ' JWT");
  if (crit !== undefined) throw refused("has an extension ('crit') that is not supported");
  return alg;
}

function issuerOf({ iss, aud, lxm, exp, iat, nbf }: Json, { audience, method, now }: Purpose): string {
  if (aud !== audience && aud !== audience + SERVICE_FRAGMENT)
    throw refused(`must have the audience ('aud') ${audience}`);
  if (lxm !== method) throw refused(`must be for the method ('lxm') ${method}`);
  if (!isTime(exp)) throw refused("must have an expiry ('exp') in seconds");
  if (exp <= now) throw refused('has expired');
  const seconds_max = LIMITS.bluesky_token_seconds_max;
  if (exp > now + seconds_max + LEEWAY_SECONDS)
    throw refused(`must expire within ${seconds_max} seconds ('exp')`);
  for (const [name, time] of Object.entries({ iat, nbf })) {
    if (time === undefined) continue;
    if (!isTime(time)) throw refused(`must have '${name}' in seconds`);
    if (time > now + LEEWAY_SECONDS) throw refused(`has '${name}' in the future`);
  }
  // A fragment names the service that acts for the account. The key of the account must have signed in any case.
  const [issuer, ...fragments] = typeof iss === 'string' ? iss.split('#') : [''];
  const is_known = isPlcDid(issuer) || publicWebHost(issuer) !== undefined;
  if (fragments.length > 1 || !is_known || issuer.length > LIMITS.id_length_max)
    throw refused("must be issued ('iss') by a did:plc, or a did:web on a public host");
  return issuer;
}

function isTime(value: unknown): value is Seconds {
  return typeof value === 'number' && Number.isFinite(value);
}

function jsonOf(part: string, what: string): Json {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(part, 'base64url'));
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Json;
  } catch {
    // Answered below.
  }
  throw refused(`must have JSON objects as ${what}`);
}

/** The refusal of a token. @param why completes "the service token …" */
export function refused(why: string): ServiceError {
  return new ServiceError('unauthorized', `the service token ${why}`);
}
