{{- define "landfall.name" -}}
{{- if contains "landfall" .Release.Name }}{{ .Release.Name | trunc 45 | trimSuffix "-" }}{{ else }}{{ printf "%s-landfall" .Release.Name | trunc 45 | trimSuffix "-" }}{{ end }}
{{- end }}

{{/* The service in front of the gateways has the plain name. */}}
{{- define "landfall.serviceName" -}}
{{ include "landfall.name" .root }}{{ if eq .service "console" }}-console{{ end }}
{{- end }}

{{- define "landfall.selector" -}}
app.kubernetes.io/name: landfall
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "landfall.labels" -}}
{{ include "landfall.selector" . }}
app.kubernetes.io/version: {{ .Values.image.tag | default .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- define "landfall.image" -}}
image: "{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}{{ with .Values.image.digest }}@{{ . }}{{ end }}"
imagePullPolicy: {{ .Values.image.pullPolicy }}
{{- end }}

{{/* No rights, no writable disk but /tmp. The user is the image's `node`, by number, so that the kubelet can see that it is not root. */}}
{{- define "landfall.containerSecurity" -}}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
{{- end }}

{{/* A variable as text. Helm reads numbers as floats, and would write 1000000 as 1e+06. */}}
{{- define "landfall.text" -}}
{{- if kindIs "float64" . }}{{ if eq . (floor .) }}{{ printf "%.0f" . }}{{ else }}{{ . | toJson }}{{ end }}{{ else }}{{ . }}{{ end }}
{{- end }}

{{- define "landfall.podSecurity" -}}
automountServiceAccountToken: {{ ne .Values.serviceAccount.name "" }}
{{- with .Values.serviceAccount.name }}
serviceAccountName: {{ . }}
{{- end }}
{{- with .Values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  seccompProfile: { type: RuntimeDefault }
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{/* The secrets of a service as "VARIABLE secret key" lines: each is a file, and VARIABLE_FILE names it. */}}
{{- define "landfall.secrets" -}}
{{- $v := .root.Values }}
{{- $http := has .service (list "gateway" "console") }}
{{- if $http }}
HASH_SECRET {{ required "hashSecret.existingSecret is not set: a secret with the key HASH_SECRET, e.g. of openssl rand -hex 32." $v.hashSecret.existingSecret }} {{ $v.hashSecret.key }}
{{- if $v.redis.existingSecret }}
REDIS_URL {{ $v.redis.existingSecret }} {{ $v.redis.key }}
{{- end }}
{{- end }}
{{- if and (eq .service "console") $v.oidcSecret.existingSecret }}
OIDC_CLIENT_SECRET {{ $v.oidcSecret.existingSecret }} {{ $v.oidcSecret.key }}
{{- end }}
{{- if and (eq .service "console") $v.smtpSecret.existingSecret }}
SMTP_URL {{ $v.smtpSecret.existingSecret }} {{ $v.smtpSecret.key }}
{{- end }}
{{- if ne .service "gateway" }}
DATABASE_URL {{ required "database.existingSecret is not set: a secret with the key DATABASE_URL, a postgresql:// URL." $v.database.existingSecret }} {{ $v.database.key }}
{{- end }}
{{- if or $http (eq .service "push") }}
SEAL_SECRET {{ required "sealSecret.existingSecret is not set: a secret with the key SEAL_SECRET, e.g. of openssl rand -hex 32." $v.sealSecret.existingSecret }} {{ $v.sealSecret.key }}
{{- end }}
{{- if and (eq .service "console") $v.ownerToken.existingSecret }}
OWNER_TOKEN {{ $v.ownerToken.existingSecret }} {{ $v.ownerToken.key }}
{{- end }}
{{- if and (eq .service "analytics") $v.clickhouse.existingSecret }}
ANALYTICS_URL {{ $v.clickhouse.existingSecret }} {{ $v.clickhouse.key }}
{{- end }}
{{- if ne .service "migrate" }}
{{- if $v.kafka.sasl.mechanism }}
KAFKA_SASL_PASSWORD {{ $v.kafka.sasl.existingSecret }} {{ $v.kafka.sasl.key }}
{{- end }}
{{- if and $v.kafka.tls.enabled $v.kafka.tls.ca }}
KAFKA_TLS_CA {{ $v.kafka.tls.existingSecret }} ca.crt
{{- end }}
{{- if and $v.kafka.tls.enabled $v.kafka.tls.client }}
KAFKA_TLS_CERT {{ $v.kafka.tls.existingSecret }} tls.crt
KAFKA_TLS_KEY {{ $v.kafka.tls.existingSecret }} tls.key
{{- end }}
{{- end }}
{{- end }}

{{- define "landfall.secretVariables" -}}
{{- range (include "landfall.secrets" . | trim | splitList "\n") }}
{{- $name := index (splitList " " .) 0 }}
- name: {{ $name }}_FILE
  value: /run/secrets/landfall/{{ $name }}
{{- end }}
{{- end }}

{{- define "landfall.volumeMounts" -}}
volumeMounts:
  - { name: secrets, mountPath: /run/secrets/landfall, readOnly: true }
  - { name: tmp, mountPath: /tmp }
  {{- with .Values.extraVolumeMounts }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end }}

{{- define "landfall.volumes" -}}
volumes:
  - name: tmp
    emptyDir: {}
  {{- with .root.Values.extraVolumes }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
  - name: secrets
    projected:
      defaultMode: 0440
      sources:
        {{- range (include "landfall.secrets" . | trim | splitList "\n") }}
        {{- $line := splitList " " . }}
        - secret:
            name: {{ index $line 1 }}
            items:
              - { key: {{ index $line 2 }}, path: {{ index $line 0 }} }
        {{- end }}
{{- end }}

{{- define "landfall.kafkaVariables" -}}
{{- with .Values.kafka }}
- { name: KAFKA_BROKERS, value: {{ required "kafka.brokers is not set: host:port of some brokers, comma-separated." .brokers | quote }} }
- { name: KAFKA_PARTITIONS, value: {{ .partitions | int64 | quote }} }
- { name: KAFKA_REPLICATION, value: {{ .replication | int64 | quote }} }
{{- if .prefix }}
- { name: KAFKA_PREFIX, value: {{ .prefix | quote }} }
{{- end }}
{{- if .tls.enabled }}
- { name: KAFKA_TLS, value: "true" }
{{- end }}
{{- if .sasl.mechanism }}
- { name: KAFKA_SASL_MECHANISM, value: {{ .sasl.mechanism }} }
- { name: KAFKA_SASL_USERNAME, value: {{ .sasl.username | quote }} }
{{- end }}
{{- end }}
{{- end }}
