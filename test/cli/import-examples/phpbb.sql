-- A few rows of a phpBB 3.3 database. What says "secret" is not public.
create table phpbb_users (user_id integer primary key, user_type integer, username text, user_regdate integer);
create table phpbb_user_group (group_id integer, user_id integer);
create table phpbb_acl_options (auth_option_id integer, auth_option text);
create table phpbb_acl_roles_data (role_id integer, auth_option_id integer, auth_setting integer);
create table phpbb_acl_groups (group_id integer, forum_id integer, auth_option_id integer, auth_role_id integer, auth_setting integer);
create table phpbb_acl_users (user_id integer, forum_id integer, auth_option_id integer, auth_role_id integer, auth_setting integer);
create table phpbb_forums (forum_id integer primary key, forum_name text, forum_password text not null default '');
create table phpbb_topics (topic_id integer primary key, forum_id integer, topic_title text, topic_first_post_id integer, topic_visibility integer);
create table phpbb_posts (post_id integer primary key, topic_id integer, forum_id integer, poster_id integer, post_time integer,
  post_text text, post_visibility integer);
create table phpbb_privmsgs (msg_id integer primary key, message_text text);
create table phpbb_zebra (user_id integer, zebra_id integer, friend integer, foe integer);

insert into phpbb_users values (1, 2, 'Anonymous', 1700000000), (2, 3, 'ann', 1700000000), (3, 0, 'bo', 1700000001), (4, 2, 'bot', 1700000002);
insert into phpbb_user_group values (1, 1), (2, 2), (2, 3);
insert into phpbb_acl_options values (14, 'f_read'), (15, 'f_post');
insert into phpbb_acl_roles_data values (17, 14, 1), (16, 14, 0), (18, 15, 1);
-- Guests may read 1 by a role and 2 by a setting. They may post but not read in 3, never read 4, and 5 is for members alone.
insert into phpbb_acl_groups values (1, 1, 0, 17, 0), (1, 2, 14, 0, 1), (1, 3, 0, 18, 0), (1, 4, 0, 17, 0), (1, 4, 0, 16, 0), (2, 5, 0, 17, 0),
  (1, 6, 0, 17, 0), (1, 7, 0, 17, 0);
insert into phpbb_acl_users values (1, 7, 14, 0, 0);
insert into phpbb_forums values (1, 'bikes', ''), (2, 'food', ''), (3, 'write only', ''), (4, 'never', ''), (5, 'members', ''), (6, 'password', 'x'),
  (7, 'not for guests', '');
insert into phpbb_topics values (11, 1, 'Ridge &amp; road', 101, 1), (12, 2, 'Bread', 103, 1), (13, 3, 'secret', 813, 1), (14, 4, 'secret', 814, 1),
  (15, 5, 'secret', 815, 1), (16, 6, 'secret', 816, 1), (17, 7, 'secret', 817, 1), (18, 1, 'secret: deleted', 818, 2);
insert into phpbb_posts values
  (101, 11, 1, 2, 1710000000, '<r><p>The road is <B><s>[b]</s>open<e>[/b]</e></B></p></r>', 1), (102, 11, 1, 3, 1710000100, '<t>Thanks</t>', 1),
  (103, 12, 2, 3, 1710000200, '<t>A recipe</t>', 1), (104, 12, 2, 1, 1710000300, '<t>Of a guest</t>', 1),
  (813, 13, 3, 2, 1710000000, 'secret', 1), (814, 14, 4, 2, 1710000000, 'secret', 1), (815, 15, 5, 2, 1710000000, 'secret', 1),
  (816, 16, 6, 2, 1710000000, 'secret', 1), (817, 17, 7, 2, 1710000000, 'secret', 1), (818, 18, 1, 2, 1710000000, 'secret', 1),
  (821, 11, 1, 2, 1710000000, 'secret: not approved', 0), (822, 11, 1, 2, 1710000000, 'secret: deleted', 2),
  (823, 11, 1, 2, 1710000000, 'secret: to be approved again', 3);
insert into phpbb_privmsgs values (1, 'secret');
insert into phpbb_zebra values (2, 3, 1, 0), (3, 2, 0, 1);
