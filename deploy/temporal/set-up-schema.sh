#!/bin/sh
# Brings Temporal's two databases, which deploy/postgres/set-up-roles.sh has created, to the schema of this version of the admin tools.
# Idempotent. Run it before each upgrade of the server. SQL_PLUGIN, SQL_HOST, SQL_PORT, SQL_USER and SQL_PASSWORD say where.
set -eu

set_up() {
  temporal-sql-tool --database "$1" setup-schema --version 0.0
  temporal-sql-tool --database "$1" update-schema --schema-name "postgresql/v12/$2"
}

set_up temporal temporal
set_up temporal_visibility visibility
