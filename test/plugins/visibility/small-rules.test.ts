import { describe, expect, test } from 'bun:test';
import { visible } from '../../support/extensions.ts';
import { Scene } from '../../support/scene.ts';

const EVENTS = ['like', 'comment', 'share', 'bookmark', 'view', 'hide', 'report'];

/** An item for each event, which the user has caused. */
function actedOn(scene: Scene, user: string): Scene {
  for (const event of EVENTS) scene.item(event).act(user, event, event);
  return scene;
}

const blocks = new Scene()
  .item('by blocked', { author: 'blocked' })
  .item('by blocker', { author: 'blocker' })
  .item('by friend', { author: 'friend' })
  .item('by an unknown author')
  .item('own', { author: 'viewer' })
  .block('viewer', 'blocked')
  .block('blocker', 'viewer')
  .block('friend', 'blocked');
const shown = new Scene().item('shown').item('viewed').item('liked').item('new');
shown.show('viewer', 'shown').act('viewer', 'view', 'viewed').act('viewer', 'like', 'liked');
const acted = actedOn(new Scene(), 'viewer');
const posts = new Scene().item('own', { author: 'viewer' }).item('other', { author: 'other' });
posts.item('by an unknown author');
const proof = actedOn(new Scene(), 'friend').item('by friend', { author: 'friend' }).item('of foe');
proof.act('foe', 'like', 'of foe').item('of stranger').act('stranger', 'like', 'of stranger');
proof.item('taken back').act('friend', 'like', 'taken back').unact('friend', 'like', 'taken back');
proof.follow('viewer', 'friend').follow('viewer', 'foe').block('foe', 'viewer');

describe('visibility rules', () => {
  test.each<[string, string, Scene, string[], number]>([
    [
      'blocked',
      'drops the items of both sides of a block',
      blocks,
      ['by friend', 'by an unknown author', 'own'],
      5,
    ],
    ['seen', 'drops items that the viewer was shown or viewed', shown, ['liked', 'new'], 4],
    [
      'interacted',
      'drops items that the viewer liked, commented, shared or bookmarked',
      acted,
      ['view', 'hide', 'report'],
      7,
    ],
    ['own_posts', "drops the viewer's own items", posts, ['other', 'by an unknown author'], 3],
    [
      'social_proof',
      'keeps items that followed users liked, commented or shared, except across blocks',
      proof,
      ['like', 'comment', 'share'],
      0,
    ],
  ])('%s %s, but no others for other viewers and without one', (rule, _what, scene, left, others) => {
    expect(visible(scene, rule, { viewer: 'viewer' })).toEqual(left);
    for (const viewer of ['stranger', 'unknown', undefined])
      expect(visible(scene, rule, { viewer })).toHaveLength(others);
  });

  test('blocked drops the items of both sides for the blocked user, too', () => {
    expect(visible(blocks, 'blocked', { viewer: 'blocked' })).toEqual([
      'by blocked',
      'by blocker',
      'by an unknown author',
    ]);
  });

  test('interacted shows an item again after its last interaction was undone', () => {
    const back = new Scene().item('a').act('viewer', 'like', 'a').act('viewer', 'share', 'a');
    back.unact('viewer', 'like', 'a');
    expect(visible(back, 'interacted', { viewer: 'viewer' })).toEqual([]);
    back.unact('viewer', 'share', 'a');
    expect(visible(back, 'interacted', { viewer: 'viewer' })).toEqual(['a']);
  });

  test('seen still drops a shown item after it was deleted and posted again', () => {
    const again = new Scene().item('a').item('b').show('viewer', 'a').act('viewer', 'view', 'b');
    again.delete('a').delete('b').item('a').item('b');
    expect(visible(again, 'seen', { viewer: 'viewer' })).toEqual(['b']);
  });
});
