/** The page: three tabs, endless scroll, reports of what was on the screen, likes, follows and new posts. */

/** How long half of a post must be on the screen to count as seen. */
const LOOK_MS = 1_000;
/** How long posts wait for others, to be reported together. */
const REPORT_MS = 2_000;
const EMPTY = { Following: 'Nobody whom you follow has posted. Follow people in the other tabs.' };

const find = (selector, parent = document) => parent.querySelector(selector);
const feed = find('#feed');
const end = find('#end');
const failure = find('#failure');

/** Who is signed in, the tabs, and what they liked and whom they follow. */
let reader;
/** Stops the tab that is shown. */
let leave = () => {};

/** Calls the server of this page. */
async function call(action, body = {}) {
  const answer = await fetch(`api/${action}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    // The browser sends these even if the page is closed meanwhile.
    keepalive: action === 'seen' || action === 'view',
  }).catch(() => undefined);
  const json = await answer?.json().catch(() => undefined);
  if (answer?.ok && json !== undefined) return json;
  throw Object.assign(new Error(json?.message ?? 'The server does not answer.'), { status: answer?.status });
}

/** Does what the reader wants. If that fails, says why, and offers to try again. */
async function attempt(work) {
  failure.hidden = true;
  try {
    await work();
  } catch (error) {
    // The session has ended: begin with signing in.
    if (error.status === 401) return location.reload();
    find('span', failure).textContent = error.message;
    find('button', failure).onclick = () => attempt(work);
    // The same request would be refused again.
    find('button', failure).hidden = error.status === 400;
    failure.hidden = false;
  }
}

// What was seen

/** Items to report by the id of their page. */
const unreported = new Map();
let next_report;

function noteSeen({ page_id, item_id }) {
  unreported.set(page_id, [...(unreported.get(page_id) ?? []), item_id]);
  next_report ??= setTimeout(report, REPORT_MS);
}

/** @type {Promise<unknown>} */
let reporting = Promise.resolve();

/** Reports at once what was seen. It ends when all reports so far have arrived. */
function report() {
  clearTimeout(next_report);
  next_report = undefined;
  const reports = [...unreported].map(([page_id, item_ids]) => ({ page_id, item_ids }));
  unreported.clear();
  if (reports.length > 0) {
    // A report that is lost costs little: the posts come once more.
    const sent = call('seen', reports).catch(() => {});
    reporting = Promise.all([reporting, sent]);
  }
  return reporting;
}

// A phone may end a page in the background without another event.
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'hidden') report();
});
addEventListener('pagehide', report);

/** Visible shares of a post that call the observer. Half of a long post may not fit on the screen. */
const STEPS = Array.from({ length: 51 }, (_, nth) => nth / 100);

/** Notes items when they have been on the screen for a moment. */
function watchItems() {
  const items = new Map();
  const timers = new Map();
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, intersectionRatio, intersectionRect, rootBounds } of entries) {
        const is_read = intersectionRatio >= 0.5 || intersectionRect.height >= rootBounds.height / 2;
        if (is_read === timers.has(target)) continue;
        clearTimeout(timers.get(target));
        timers.delete(target);
        if (is_read) timers.set(target, setTimeout(seen, LOOK_MS, target));
      }
    },
    { rootMargin: `-${find('header').offsetHeight}px 0px 0px`, threshold: STEPS },
  );
  /** Notes an item, once. */
  function seen(target) {
    observer.unobserve(target);
    if (items.has(target)) noteSeen(items.get(target));
    items.delete(target);
  }
  return {
    seen,
    add(element, item) {
      items.set(element, item);
      observer.observe(element);
    },
    stop() {
      observer.disconnect();
      for (const timer of timers.values()) clearTimeout(timer);
    },
  };
}

// Posts

/** Seconds of the units in which ages are given. */
const UNITS = /** @type {const} */ ([
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]);
const ago = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

function timeText(timestamp) {
  const seconds = Date.now() / 1000 - timestamp;
  if (seconds > 30 * 86_400)
    return new Date(1000 * timestamp).toLocaleDateString('en', { dateStyle: 'medium' });
  const [unit, length] = UNITS.find(([, of_unit]) => seconds >= of_unit) ?? ['minute', 60];
  return seconds < 60 ? 'just now' : ago.format(-Math.floor(seconds / length), unit);
}

/** The text of a post. Markup is removed, so nothing of it can run. */
function textOf({ text, is_html }) {
  if (!is_html) return text;
  const lines = text.replace(/<(br|\/p|\/li)\b/gi, '\n$&');
  return new DOMParser().parseFromString(lines, 'text/html').body.textContent.trim();
}

/** `https://forum.example/channel/bread` → `bread` */
function channelName(channel) {
  return channel?.replace(/\/+$/, '').split('/').at(-1);
}

/** Makes a button that adds to a set and removes from it, after the server has stored that. */
function makeSwitch(button, set, id, store) {
  button.addEventListener('click', () =>
    attempt(async () => {
      const is_on = !set.has(id);
      button.disabled = true;
      await store(is_on).finally(() => {
        button.disabled = false;
      });
      set[is_on ? 'add' : 'delete'](id);
      // Other posts may be of the same author.
      for (const element of feed.querySelectorAll('article')) element.draw();
    }),
  );
}

/** A colour of the name, in degrees. */
function hueOf(name) {
  return [...name].reduce((sum, letter) => (31 * sum + letter.codePointAt(0)) % 360, 7);
}

/** A picture that is enlarged by a click. It goes away if it cannot be loaded. */
function pictureOf(link, author, onOpen) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'enlarge';
  button.setAttribute('aria-expanded', 'false');
  const image = new Image();
  Object.assign(image, {
    loading: 'lazy',
    alt: `Picture by ${author}`,
    referrerPolicy: 'no-referrer',
    src: link,
  });
  image.addEventListener('error', () => button.remove());
  button.append(image);
  button.addEventListener('click', () => {
    const is_open = button.getAttribute('aria-expanded') === 'false';
    button.setAttribute('aria-expanded', String(is_open));
    if (is_open) onOpen();
  });
  return button;
}

/** @param noteAsSeen is called before an act, so that the act counts for the feed that showed the post */
function elementOf(item, noteAsSeen = (_element) => {}) {
  const {
    item_id,
    author_id,
    timestamp,
    channel,
    is_reply,
    reply_to,
    likes,
    comments,
    url,
    pictures = [],
  } = item;
  const element = find('#post').content.cloneNode(true).firstElementChild;
  const [picture, like, follow] = ['.picture', '.like', '.follow'].map((part) => find(part, element));
  const author = item.author || 'Unknown';
  find('.author', element).textContent = author;
  picture.textContent = [...author][0].toUpperCase();
  picture.style.setProperty('--hue', hueOf(author));
  find('.text', element).textContent = textOf(item) || `Post ${item_id}`;
  const time = find('time', element);
  const date = new Date(1000 * timestamp);
  time.dateTime = date.toISOString();
  time.title = date.toLocaleString('en');
  time.textContent = timeText(timestamp);
  const details = {
    '.channel': channelName(channel),
    '.reply-to': is_reply ? `A reply to ${reply_to ?? 'a post that is not here'}` : '',
    '.comments': comments > 0 ? `${comments} ${comments === 1 ? 'comment' : 'comments'}` : '',
    '.open': url ? 'Open' : '',
  };
  for (const [part, text] of Object.entries(details)) {
    find(part, element).textContent = text ?? '';
    find(part, element).hidden = !text;
  }
  if (url) find('.open', element).href = url;
  const opened = () => {
    noteAsSeen(element);
    report();
    // A view that is lost costs little.
    call('view', { item_id }).catch(() => {});
  };
  find('.open', element).addEventListener('click', opened);
  find('.pictures', element).append(...pictures.map((link) => pictureOf(link, author, opened)));
  const { liked, followed } = reader;
  const likes_of_others = likes - Number(liked.has(item_id));
  element.draw = () => {
    like.setAttribute('aria-pressed', liked.has(item_id));
    find('b', like).textContent = likes_of_others + Number(liked.has(item_id)) || '';
    follow.setAttribute('aria-pressed', followed.has(author_id));
    follow.textContent = followed.has(author_id) ? 'Following' : 'Follow';
  };
  element.draw();
  const act = async (action, body) => {
    noteAsSeen(element);
    await report();
    await call(action, body);
  };
  makeSwitch(like, liked, item_id, (is_on) => act('like', { item_id, liked: is_on }));
  makeSwitch(follow, followed, author_id, (is_on) => act('follow', { author_id, followed: is_on }));
  follow.hidden = author_id === null || author_id === reader.user_id;
  return element;
}

// Tabs

/** Shows a tab from its start, and the next page whenever its end comes near. */
function show({ name, feed_id }) {
  leave();
  feed.replaceChildren();
  end.textContent = 'Loading …';
  let is_shown = true;
  let cursor;
  const watched = watchItems();
  const near_end = new IntersectionObserver(
    ([{ isIntersecting }]) => {
      if (!isIntersecting) return;
      near_end.unobserve(end);
      attempt(nextPage);
    },
    { rootMargin: '0px 0px 600px' },
  );
  async function nextPage() {
    // What was seen a moment ago must not come again.
    await report();
    const page = await call('page', { feed_id, cursor }).catch((error) => {
      if (!is_shown) return undefined;
      // A page that was open for days: begin again.
      if (error.status === 400 && cursor !== undefined) return showTabOfAddress();
      throw error;
    });
    if (!is_shown) return;
    // The reader follows all authors in this tab. The server lists the first thousand.
    if (name === 'Following') for (const { author_id } of page.items) reader.followed.add(author_id);
    for (const item of page.items) {
      if (item.is_seen && find('.seen-before', feed) === null) feed.append(seenBefore());
      const element = elementOf(item, watched.seen);
      feed.append(element);
      watched.add(element, { page_id: page.page_id, item_id: item.item_id });
    }
    cursor = page.cursor;
    // It is called at once if the end is still near.
    if (cursor !== undefined) return near_end.observe(end);
    end.textContent =
      feed.children.length > 0
        ? 'You have reached the end.'
        : (EMPTY[name] ?? 'There are no posts yet. Write one.');
  }
  near_end.observe(end);
  leave = () => {
    is_shown = false;
    near_end.disconnect();
    watched.stop();
  };
}

function seenBefore() {
  const line = document.createElement('p');
  line.className = 'seen-before';
  line.textContent = 'You have seen these before';
  return line;
}

/** The address has the tab, so that a reload and the button for going back keep it. */
function showTabOfAddress() {
  const tab = reader.tabs.find(({ feed_id }) => location.hash === `#${feed_id}`) ?? reader.tabs[0];
  for (const link of find('#tabs').children) {
    if (link.hash === `#${tab.feed_id}`) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  scrollTo(0, 0);
  show(tab);
}

// Forms

/** Sends a form to the server, and clears it. */
function onSubmit(form, work) {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    attempt(async () => {
      await work(Object.fromEntries(new FormData(form)));
      form.reset();
    });
  });
}

onSubmit(find('#sign-in'), async (fields) => {
  await call('sign-in', fields);
  await begin();
});
onSubmit(find('#write'), async (fields) => {
  const posted = await call('post', fields);
  feed.prepend(elementOf({ ...posted, author: reader.name }));
});
find('#sign-out').addEventListener('click', () =>
  attempt(async () => {
    await report();
    await call('sign-out');
    location.reload();
  }),
);

async function begin() {
  const { liked, followed, ...others } = await call('start');
  reader = { ...others, liked: new Set(liked), followed: new Set(followed) };
  const is_signed_in = reader.user_id !== undefined;
  find('#sign-in').hidden = is_signed_in;
  find('#session').hidden = find('#write').hidden = !is_signed_in;
  if (!is_signed_in) return find('#sign-in input').focus();
  find('#new-member').hidden = !reader.is_new;
  find('#name').textContent = reader.name;
  for (const { name, feed_id } of reader.tabs) {
    const link = document.createElement('a');
    link.href = `#${feed_id}`;
    link.textContent = name;
    // Another tab changes the address.
    link.addEventListener('click', () => link.hash === location.hash && showTabOfAddress());
    find('#tabs').append(link);
  }
  addEventListener('hashchange', showTabOfAddress);
  showTabOfAddress();
}

attempt(begin);
