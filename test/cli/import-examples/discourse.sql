-- A few rows of a Discourse database. What says "secret" is not public.
create table users (id integer primary key, username text not null, name text, admin boolean, created_at timestamp not null);
create table categories (id integer primary key, slug text not null, read_restricted boolean not null default false);
create table topics (
  id integer primary key, title text not null, category_id integer, archetype text not null default 'regular',
  visible boolean not null default true, deleted_at timestamp
);
create table posts (
  id integer primary key, user_id integer, topic_id integer not null, post_number integer not null default 1,
  reply_to_post_number integer,
  post_type integer not null default 1, cooked text not null, created_at timestamp not null,
  hidden boolean not null default false, user_deleted boolean not null default false, deleted_at timestamp
);
create table post_actions (
  id serial primary key, post_id integer not null, user_id integer not null, post_action_type_id integer not null,
  created_at timestamp not null, deleted_at timestamp
);

insert into users values
  (1, 'ann', 'Ann "Hills" Berg', true, '2024-01-03 09:12:44.120391'), (2, 'bo', 'Bo', false, '2024-01-05 18:40:02.5'),
  (3, 'cy', null, false, '2024-02-11 07:00:00'), (4, 'dee', 'Dee', false, '2024-02-12 21:33:10.881'),
  (5, 'eli', 'Eli', false, '2024-03-01 12:00:00');
insert into categories values (1, 'bikes', false), (2, 'food', false), (3, 'staff', true);
insert into topics (id, title, category_id, archetype, visible, deleted_at) values
  (11, 'Ridge', 1, 'regular', true, null), (12, 'Tyres', 1, 'regular', true, null),
  (13, 'Bread', 2, 'regular', true, null), (14, 'Night ride', 1, 'regular', true, null),
  (15, 'Soup', 2, 'regular', true, null), (16, 'Old', 1, 'regular', true, null), (17, 'Oil', 1, 'banner', true, null),
  (21, 'Message', null, 'private_message', true, null), (22, 'Staff', 3, 'regular', true, null),
  (23, 'Unlisted', 1, 'regular', false, null), (24, 'Deleted', 1, 'regular', true, '2024-03-05 00:00:00');
insert into posts (id, user_id, topic_id, cooked, created_at) values
  (101, 1, 11, '<p>The gravel road is open again. <a href="https://trails.example/ridge">Map</a></p>', '2024-03-02 08:15:00.25'),
  (102, 2, 12, '<p>Which tyres do you ride in winter?</p>', '2024-03-02 10:01:30'),
  (104, 4, 13, E'<p>Bread recipe:</p>\n<ul><li>flour</li><li>water, salt</li></ul>', '2024-03-03 06:45:12'),
  (105, 1, 14, '<p>Night ride on Friday, who joins?</p>', '2024-03-03 17:30:00'),
  (106, 5, 15, '<p>Soup for a cold day</p>', '2024-03-04 11:11:11'),
  (107, null, 16, '<p>A post of an account that was deleted</p>', '2024-03-04 12:00:00'),
  (108, 2, 17, '<p>Chain oil compared: five brands, one winter</p>', '2024-03-05 09:00:00'),
  (121, 1, 21, '<p>secret: a private message</p>', '2024-03-05 10:00:00'),
  (122, 1, 22, '<p>secret: of a restricted category</p>', '2024-03-05 10:00:00'),
  (123, 1, 23, '<p>secret: of an unlisted topic</p>', '2024-03-05 10:00:00'),
  (124, 1, 24, '<p>secret: of a deleted topic</p>', '2024-03-05 10:00:00');
insert into posts (id, user_id, topic_id, post_number, reply_to_post_number, cooked, created_at) values
  (103, 3, 12, 2, 1, '<p>Studded ones, always.</p>', '2024-03-02 10:20:00'),
  (109, 4, 11, 9, 4, '<p>An answer to a whisper</p>', '2024-03-06 10:20:00');
insert into posts (id, user_id, topic_id, post_number, post_type, cooked, created_at, hidden, user_deleted, deleted_at) values
  (131, 1, 11, 2, 2, '<p>secret: a moderator action</p>', '2024-03-05 10:00:00', false, false, null),
  (132, 1, 11, 3, 3, '<p>secret: a small action</p>', '2024-03-05 10:00:00', false, false, null),
  (133, 1, 11, 4, 4, '<p>secret: a whisper</p>', '2024-03-05 10:00:00', false, false, null),
  (134, 1, 11, 5, 1, '<p>secret: hidden after flags</p>', '2024-03-05 10:00:00', true, false, null),
  (135, 1, 11, 6, 1, '<p>secret: deleted by its author</p>', '2024-03-05 10:00:00', false, true, null),
  (136, 1, 11, 7, 1, '<p>secret: deleted</p>', '2024-03-05 10:00:00', false, false, '2024-03-05 11:00:00');
insert into post_actions (post_id, user_id, post_action_type_id, created_at)
  select id, 3, 2, '2024-03-05 12:00:00' from posts where id > 120;
insert into post_actions (post_id, user_id, post_action_type_id, created_at, deleted_at) values
  (103, 1, 2, '2024-03-02 11:00:00', '2024-03-02 11:01:00'), (103, 2, 4, '2024-03-02 11:00:00', null);
insert into post_actions (post_id, user_id, post_action_type_id, created_at) values
  (108, 3, 2, '2024-03-05 09:30:00'), (101, 2, 2, '2024-03-02 08:40:11'), (101, 3, 2, '2024-03-02 09:00:00'),
  (102, 1, 2, '2024-03-02 10:05:00'), (105, 2, 2, '2024-03-03 18:00:00'), (105, 3, 2, '2024-03-03 18:02:00'),
  (105, 4, 2, '2024-03-03 18:03:00'), (104, 5, 2, '2024-03-03 07:00:00'), (106, 4, 2, '2024-03-04 11:30:00'),
  (106, 77, 2, '2024-03-04 11:40:00'), (108, 4, 2, '2024-03-05 09:31:00'), (104, 77, 2, '2024-03-03 06:00:00');
