import { createHmac, timingSafeEqual } from 'node:crypto';
import { Failure } from './feedloom.mjs';

/**
 * Who is signed in, by a cookie that the server has signed and no script of the page can read.
 * It takes any name. Check a password here, or replace this file by the sign-in of your app.
 */

const SECONDS = 30 * 24 * 3600;
const NAME_LENGTH_MAX = 256;
/** Nobody else knows the key, so nobody else can sign. Another key ends all sessions. */
const SECRET = process.env.FEEDLOOM_KEY ?? '';

function signature(text) {
  return createHmac('sha256', SECRET).update(`session ${text}`).digest('base64url');
}

/** `Lax` keeps other sites from acting as the reader. Add `; Secure` where the page is on HTTPS. */
function cookie(value, seconds) {
  return `session=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${seconds}`;
}

/** The `Set-Cookie` header that signs a user in. */
export function signIn({ name }) {
  if (typeof name !== 'string' || name.trim() === '' || name.length > NAME_LENGTH_MAX)
    throw new Failure(400, `A name has 1 to ${NAME_LENGTH_MAX} characters.`);
  const session = `${Buffer.from(name.trim()).toString('base64url')}.${Math.floor(Date.now() / 1000) + SECONDS}`;
  return cookie(`${session}.${signature(session)}`, SECONDS);
}

/** The `Set-Cookie` header that signs out. */
export function signOut() {
  return cookie('', 0);
}

/** The user of a `Cookie` header; undefined: nobody is signed in. */
export function userOf(header = '') {
  const [, coded, until, given] = /(?:^|; )session=([^;.]*)\.(\d+)\.([^;]*)/.exec(header) ?? [];
  if (coded === undefined || Number(until) < Date.now() / 1000) return undefined;
  const expected = Buffer.from(signature(`${coded}.${until}`));
  const sent = Buffer.from(given);
  return sent.length === expected.length && timingSafeEqual(sent, expected)
    ? Buffer.from(coded, 'base64url').toString()
    : undefined;
}
