#!/bin/sh
# Creates the namespace and the search attributes of Parley's workflows where they are missing. Idempotent. TEMPORAL_ADDRESS and
# TEMPORAL_NAMESPACE say where, RETENTION how long closed workflows stay visible.
set -eu

attributes='AccountId WebhookId EventName Variant DeliveryStatus ContactId FlowId RunStatus'

# It takes some seconds until every part of the server knows a new namespace.
patiently() {
  tries=0
  until "$@"; do
    tries=$((tries + 1))
    [ "$tries" -lt 30 ] || return 1
    sleep 2
  done
}

has_attribute() {
  temporal operator search-attribute list --namespace "$TEMPORAL_NAMESPACE" | grep -qw "$1"
}

add_attribute() {
  has_attribute "$1" ||
    temporal operator search-attribute create --namespace "$TEMPORAL_NAMESPACE" --name "$1" --type Keyword
}

make_namespace() {
  temporal operator namespace describe --namespace "$TEMPORAL_NAMESPACE" >/dev/null 2>&1 ||
    temporal operator namespace create --namespace "$TEMPORAL_NAMESPACE" --retention "$RETENTION"
}

patiently temporal operator cluster health
patiently make_namespace
for name in $attributes; do
  patiently add_attribute "$name"
done
echo "namespace $TEMPORAL_NAMESPACE is ready"
