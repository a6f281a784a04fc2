#!/bin/sh
# Creates the roles of Parley and of Temporal and gives each its databases, also in a data folder where the superuser owns them. Idempotent.
# The PG… variables say where and as which user; PARLEY_PASSWORD and TEMPORAL_PASSWORD are the passwords of the two roles.
set -eu

# A statement that waits for a table in use would hold up everybody behind it. It gives up, and the job runs again.
export PGOPTIONS='-c lock_timeout=3s'

in_database() {
  psql --no-psqlrc --quiet --set ON_ERROR_STOP=1 --dbname "$1" --output /dev/null
}

in_database postgres <<'SQL'
\getenv parley PARLEY_PASSWORD
\getenv temporal TEMPORAL_PASSWORD
select set_config('setup.parley_password', :'parley', false), set_config('setup.temporal_password', :'temporal', false);
\i /deploy/roles.sql
SQL

hand_over() {
  in_database postgres <<SQL
select 'create database $1 owner $2' where not exists (select from pg_database where datname = '$1') \gexec
SQL
  in_database "$1" <<SQL
select set_config('setup.owner', '$2', false);
\i /deploy/hand-over.sql
SQL
}

hand_over parley parley_service
hand_over temporal temporal
hand_over temporal_visibility temporal
echo 'the roles parley_service and temporal have their databases'
