import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { Failure, follow, like, post, readPage, reportSeen, start, view } from '../app/feedloom.mjs';
import { signIn, signOut, userOf } from '../app/sign-in.mjs';

/** A server without dependencies, for Node and Bun. It serves the page, and does what the page requests. */

const BODY_BYTES_MAX = 65_536;

/** Files of the page with their types. No other file is served. */
const FILES = new Map([
  ['/', ['index.html', 'text/html; charset=utf-8']],
  ['/page.css', ['page.css', 'text/css; charset=utf-8']],
  ['/page.js', ['page.js', 'text/javascript; charset=utf-8']],
]);

/** What a reader who is signed in may do: functions of the user and the JSON that the page sent. */
const ACTIONS = new Map([
  ['/api/page', readPage],
  ['/api/seen', reportSeen],
  ['/api/like', like],
  ['/api/follow', follow],
  ['/api/post', post],
  ['/api/view', view],
]);

async function bodyOf(request) {
  let text = '';
  for await (const part of request.setEncoding('utf8')) {
    text += part;
    if (text.length > BODY_BYTES_MAX) throw new Failure(413, 'This is too much at once.');
  }
  try {
    const body = JSON.parse(text);
    if (typeof body === 'object' && body !== null) return body;
  } catch {}
  throw new Failure(400, 'The body must be a JSON object.');
}

/** The JSON that answers a call of the page. */
async function answerTo(path, request, response) {
  const user_id = userOf(request.headers.cookie);
  const body = await bodyOf(request);
  if (path === '/api/start') return user_id === undefined ? {} : start(user_id);
  if (path === '/api/sign-in') response.setHeader('set-cookie', signIn(body));
  if (path === '/api/sign-out') response.setHeader('set-cookie', signOut());
  if (response.hasHeader('set-cookie')) return {};
  const act = ACTIONS.get(path);
  if (act === undefined) throw new Failure(404, 'There is nothing here.');
  if (user_id === undefined) throw new Failure(401, 'Sign in first.');
  return act(user_id, body);
}

const server = createServer(async (request, response) => {
  try {
    const { pathname } = new URL(request.url, 'http://page');
    const [file, type] = FILES.get(pathname) ?? [];
    if (request.method === 'GET' && file !== undefined) {
      const content = await readFile(new URL(`../page/${file}`, import.meta.url));
      response.writeHead(200, { 'content-type': type, 'cache-control': 'no-cache' }).end(content);
      return;
    }
    if (request.method !== 'POST') throw new Failure(404, 'There is nothing here.');
    const answer = await answerTo(pathname, request, response);
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  } catch (error) {
    if (!(error instanceof Failure)) console.error(error);
    const { status, message } = error instanceof Failure ? error : new Failure(500, 'This did not work.');
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ message }));
  }
});

server.listen(Number(process.env.PORT ?? 8080), '127.0.0.1', () => {
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  console.log(`open http://127.0.0.1:${port}`);
});
