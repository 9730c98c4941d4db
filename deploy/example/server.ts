import { FeedloomClient } from 'feedloom-client';
import page from './index.html';

/** The server of the example: it knows who is signed in, and it alone has the key of Feedloom. */

const COOKIE = 'session';
const TOKEN_SECONDS = 3600;

interface Options {
  port: number;
  /** Address of Feedloom, as pages reach it. */
  url: string;
  /** Needs the scopes `feed:read` and `ingest:write`. */
  key: string;
}

/** The fields of a JSON body; none if it is not an object. */
async function fieldsOf(request: Request): Promise<Record<string, unknown>> {
  const body: unknown = await request.json().catch(() => undefined);
  return typeof body === 'object' && body !== null ? { ...body } : {};
}

function refuse(what: string): Response {
  return new Response(what, { status: 400 });
}

export function startExample({ port, url, key }: Options): Bun.Server<undefined> {
  const client = new FeedloomClient({ url, key });
  /** Users by the secret in their cookie. */
  const sessions = new Map<string, string>();

  /** A route for people who are signed in. */
  function signedIn(handle: (user_id: string, request: Bun.BunRequest) => Promise<Response>) {
    return async (request: Bun.BunRequest) => {
      const user_id = sessions.get(request.cookies.get(COOKIE) ?? '');
      return user_id === undefined
        ? new Response('sign in first', { status: 401 })
        : handle(user_id, request);
    };
  }

  return Bun.serve({
    port,
    hostname: '127.0.0.1',
    development: false,
    error(reason) {
      console.warn(reason);
      return new Response('Feedloom refused the call or does not answer; the server has logged why', {
        status: 502,
      });
    },
    routes: {
      '/': page,
      '/sign-in': {
        async POST(request) {
          const { name } = await fieldsOf(request);
          if (typeof name !== 'string' || !/^[\w-]{1,40}$/.test(name))
            return refuse('name: must be 1 to 40 letters, digits, _ and -');
          const secret = crypto.randomUUID();
          sessions.set(secret, name);
          request.cookies.set(COOKIE, secret, { httpOnly: true, sameSite: 'strict' });
          return Response.json({ feedloom_url: url });
        },
      },
      '/token': {
        POST: signedIn(async (user_id) => {
          return Response.json(await client.createToken({ user_id, ttl_seconds: TOKEN_SECONDS }));
        }),
      },
      '/posts': {
        POST: signedIn(async (author_id, request) => {
          const { text } = await fieldsOf(request);
          if (typeof text !== 'string' || text.trim() === '') return refuse('text: must not be empty');
          const item_id = `post-${crypto.randomUUID()}`;
          await client.ingest('items', { item_id, author_id, text, created_at: Date.now() / 1000 });
          return Response.json({ item_id });
        }),
      },
      '/likes': {
        // When it is answered, the next page of the reader reflects the like.
        POST: signedIn(async (user_id, request) => {
          const { item_id, liked } = await fieldsOf(request);
          if (typeof item_id !== 'string') return refuse('item_id: must be the id of a post');
          const action = liked === true ? 'add' : 'remove';
          return Response.json(
            await client.ingest('interactions', { user_id, item_id, event_type: 'like', action }),
          );
        }),
      },
      '/follows': {
        POST: signedIn(async (user_id, request) => {
          const { user_id: target_user_id } = await fieldsOf(request);
          if (typeof target_user_id !== 'string') return refuse('user_id: must be the id of an author');
          return Response.json(await client.ingest('follows', { user_id, target_user_id }));
        }),
      },
    },
  });
}

if (import.meta.main) {
  const { PORT = '8080', FEEDLOOM_URL = 'http://127.0.0.1:3000', FEEDLOOM_KEY } = process.env;
  if (FEEDLOOM_KEY === undefined) throw new Error('FEEDLOOM_KEY: must be a key of Feedloom');
  const server = startExample({ port: Number(PORT), url: FEEDLOOM_URL, key: FEEDLOOM_KEY });
  console.log(`listening on ${server.url}; FEEDLOOM_CORS_ORIGINS must list ${server.url.origin}`);
}
