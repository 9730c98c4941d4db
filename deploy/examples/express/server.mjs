import { fileURLToPath } from 'node:url';
import express from 'express';
import { Failure, follow, like, post, readPage, reportSeen, start, view } from '../app/feedloom.mjs';
import { signIn, signOut, userOf } from '../app/sign-in.mjs';

/** The server as an Express app. It serves the page, and does what the page requests. */

const app = express();
app.disable('x-powered-by');
app.use(express.static(fileURLToPath(new URL('../page', import.meta.url))));
app.use(express.json({ limit: '64kb' }));
app.use((request, response, next) => {
  response.locals.user_id = userOf(request.headers.cookie);
  next();
});

app.post('/api/start', async (_request, response) => {
  const { user_id } = response.locals;
  response.json(user_id === undefined ? {} : await start(user_id));
});
app.post('/api/sign-in', (request, response) => {
  response.set('set-cookie', signIn(request.body ?? {})).json({});
});
app.post('/api/sign-out', (_request, response) => {
  response.set('set-cookie', signOut()).json({});
});

/** A route for readers who are signed in. `act` gets the user and the JSON that the page sent. */
function forReaders(path, act) {
  app.post(path, async (request, response) => {
    const { user_id } = response.locals;
    if (user_id === undefined) throw new Failure(401, 'Sign in first.');
    response.json(await act(user_id, request.body ?? {}));
  });
}
forReaders('/api/page', readPage);
forReaders('/api/seen', reportSeen);
forReaders('/api/like', like);
forReaders('/api/follow', follow);
forReaders('/api/post', post);
forReaders('/api/view', view);

app.use(() => {
  throw new Failure(404, 'There is nothing here.');
});
// Express knows error handlers by their four parameters.
app.use((error, _request, response, _next) => {
  const status = error.status ?? 500;
  if (status === 500) console.error(error);
  response.status(status).json({ message: error instanceof Failure ? error.message : 'This did not work.' });
});

const server = app.listen(Number(process.env.PORT ?? 8080), '127.0.0.1', (error) => {
  if (error) throw error;
  console.log(`open http://127.0.0.1:${server.address().port}`);
});
