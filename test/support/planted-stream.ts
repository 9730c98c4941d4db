import { seededRandom } from '../../src/clock.ts';
import type { EventType } from '../../src/model/acts.ts';
import { HOUR, NOW, Scene } from './scene.ts';

export interface Post {
  id: string;
  created_at: number;
  /** A discussed item gets comments in its first minutes and many likes later; a plain one gets likes early. */
  discussed: boolean;
}

interface Act {
  at: number;
  post: string;
  event: EventType;
}

/** Every ten minutes one item of each kind is posted. */
const POST_EVERY = 600;
const EARLY_COMMENTS = 8;
const EARLY_LIKES = 12;
const LATE_LIKES = 30;
/** Starts half an hour after the post. */
const LATE_FROM = HOUR / 2;
const LATE_SECONDS = 3 * HOUR;

/**
 * A stream in which early comments predict many later likes, and early likes predict none. A method that only follows
 * the pace of items picks the plain ones, which get more acts early. It ends at `scene.now`, after `hours`.
 */
export function plantedStream(hours: number): { scene: Scene; posts: Post[] } {
  const random = seededRandom(3);
  const scene = new Scene();
  const posts: Post[] = [];
  const acts: Act[] = [];
  for (let at = 0; at < hours * HOUR; at += POST_EVERY) {
    for (const discussed of [true, false]) {
      const post = { id: `${discussed ? 'discussed' : 'plain'} ${at}`, created_at: NOW + at, discussed };
      posts.push(post);
      const add = (count: number, event: EventType, from: number, seconds: number) => {
        for (let index = 0; index < count; index++) {
          acts.push({ at: post.created_at + from + seconds * random(), post: post.id, event });
        }
      };
      if (discussed) add(EARLY_COMMENTS, 'comment', 0, 600);
      else add(EARLY_LIKES, 'like', 0, 600);
      if (discussed) add(LATE_LIKES, 'like', LATE_FROM, LATE_SECONDS);
    }
  }
  acts.sort((one, other) => one.at - other.at);
  let next = 0;
  for (const [index, act] of acts.entries()) {
    if (act.at > NOW + hours * HOUR) break;
    scene.now = Math.round(act.at * 1000) / 1000;
    for (; next < posts.length && posts[next].created_at <= act.at; next++) {
      scene.item(posts[next].id, { created_at: posts[next].created_at });
    }
    // All users are new, so that all of them count.
    scene.act(`user ${index}`, act.event, act.post);
  }
  scene.now = NOW + hours * HOUR;
  return { scene, posts };
}
