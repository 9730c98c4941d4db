-- A few rows of a Flarum 1.8 database. What says "secret" is not public.
create table users (id integer primary key, username text, joined_at text);
create table discussions (id integer primary key, title text, first_post_id integer, hidden_at text, is_private integer not null default 0);
create table posts (id integer primary key, discussion_id integer, number integer, created_at text, user_id integer, type text, content text,
  hidden_at text, is_private integer not null default 0);
create table tags (id integer primary key, slug text, parent_id integer, is_restricted integer not null default 0);
create table discussion_tag (discussion_id integer, tag_id integer);
create table post_likes (post_id integer, user_id integer, created_at text);

insert into users values (1, 'ann', '2024-01-01 10:00:00'), (2, 'bo', '2024-01-02 10:00:00');
insert into tags values (1, 'bikes', null, 0), (2, 'gravel', 1, 0), (3, 'staff', null, 1);
insert into discussions values (11, 'Ridge <open>', 101, null, 0), (12, 'secret: of staff', 812, null, 0), (13, 'secret: hidden', 813, '2024-03-03 10:00:00', 0),
  (14, 'secret: between two', 814, null, 1);
insert into discussion_tag values (11, 1), (11, 2), (12, 3), (12, 1), (13, 1), (14, 1);
insert into posts values
  (101, 11, 1, '2024-03-02 08:00:00', 1, 'comment', '<t><p>The road is open</p></t>', null, 0),
  (102, 11, 2, '2024-03-02 09:00:00', 2, 'comment', '<t><p>Thanks</p></t>', null, 0),
  (103, 11, 3, '2024-03-02 10:00:00', null, 'comment', '<t><p>Of an account that was deleted</p></t>', null, 0),
  (812, 12, 1, '2024-03-02 08:00:00', 1, 'comment', 'secret', null, 0), (813, 13, 1, '2024-03-02 08:00:00', 1, 'comment', 'secret', null, 0),
  (814, 14, 1, '2024-03-02 08:00:00', 1, 'comment', 'secret', null, 0),
  (821, 11, 4, '2024-03-02 08:00:00', 1, 'discussionRenamed', 'secret: ["a","b"]', null, 0),
  (822, 11, 5, '2024-03-02 08:00:00', 1, 'comment', 'secret: hidden', '2024-03-03 10:00:00', 0),
  (823, 11, 6, '2024-03-02 08:00:00', 1, 'comment', 'secret: not approved', null, 1);
insert into post_likes select id, 2, '2024-03-04 10:00:00' from posts;
