create extension pg_trgm;

create domain evento_actor as text constraint evento_actor_check CHECK ((VALUE = ANY (ARRAY['comercio'::text, 'operador'::text, 'destinatario'::text, 'sistema'::text, 'soporte'::text, 'piloto'::text])));

create domain evento_tipo as text constraint evento_tipo_check CHECK ((VALUE = ANY (ARRAY['guia.creada'::text, 'guia.confirmacion_pedida'::text, 'guia.confirmada'::text, 'guia.estado_cambiado'::text, 'guia.cancelada'::text, 'guia.mensaje_fallido'::text, 'guia.destinatario_niega'::text, 'guia.mensaje_omitido'::text, 'guia.enlace_leido'::text, 'guia.enlace_fallido'::text, 'guia.actualizada'::text, 'guia.evento_tardio'::text, 'guia.cod_distinto'::text, 'guia.cobro_corregido'::text, 'liquidacion.pagada'::text, 'guia.estado_corregido'::text, 'guia.advertencia'::text, 'guia.asignada'::text, 'guia.destinatario_no_recibio'::text])));

create domain guia_estado as text constraint guia_estado_check CHECK ((VALUE = ANY (ARRAY['aceptado'::text, 'en_camino_a_recoger'::text, 'recogido'::text, 'en_ruta'::text, 'intento_fallido'::text, 'entregado'::text, 'en_devolucion'::text, 'devuelto'::text, 'cancelado'::text, 'extraviado'::text])));

create domain latitud as double precision constraint latitud_check CHECK (((VALUE >= ('-90'::integer)::double precision) AND (VALUE <= (90)::double precision)));

create domain longitud as double precision constraint longitud_check CHECK (((VALUE >= ('-180'::integer)::double precision) AND (VALUE <= (180)::double precision)));

create domain monto as numeric(12,2) constraint monto_check CHECK (((VALUE >= (0)::numeric) AND (VALUE <= (100000000)::numeric))) NOT VALID;

create domain telefono_e164 as text constraint telefono_e164_check CHECK ((VALUE ~ '^\+[1-9][0-9]{3,14}$'::text));

CREATE OR REPLACE FUNCTION public.check_deadline(deadline_ms double precision)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
      begin
        if extract(epoch from clock_timestamp()) * 1000 > deadline_ms then
          raise exception 'the deadline has passed' using errcode = '57X01';
        end if;
        return true;
      end $function$;

CREATE OR REPLACE FUNCTION public.clave_lugar(texto text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$ select case when texto ~ '[^[:ascii:]]' then lower(translate(texto, 'ÁÀÄÂÃÉÈËÊÍÌÏÎÓÒÖÔÕÚÙÜÛÑÇáàäâãéèëêíìïîóòöôõúùüûñç',
  'AAAAAEEEEIIIIOOOOOUUUUNCaaaaaeeeeiiiiooooouuuunc')) else lower(texto) end $function$;

CREATE OR REPLACE FUNCTION public.crear_particion(de text, mes date)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
 SET lock_timeout TO '250ms'
AS $function$
  declare
    inicio timestamp := date_trunc('month', mes::timestamp);
    desde uuid := public.primer_id(inicio at time zone 'UTC');
    hasta uuid := public.primer_id((inicio + interval '1 month') at time zone 'UTC');
    columna name;
    es_tarde boolean;
  begin
    if not exists (select from public.particiones() where tabla = de) then
      raise exception '% has no partitions', de;
    end if;
    perform pg_advisory_xact_lock(hashtext('particiones'));
    select attname into columna from pg_partitioned_table join pg_attribute on attrelid = partrelid and attnum = partattrs[0]
      where partrelid = format('public.%I', de)::regclass;
    execute format('select exists (select from public.%1$I where %2$I >= %3$L and %2$I < %4$L)',
      de || '_resto', columna, desde, hasta) into es_tarde;
    if es_tarde then
      raise check_violation using message = format('rows of %s are in %s already', to_char(mes, 'YYYY-MM'), de || '_resto');
    end if;
    execute format('create table if not exists public.%I partition of public.%I for values from (%L) to (%L)',
      de || to_char(mes, '_YYYY_MM'), de, desde, hasta);
  end
  $function$;

CREATE OR REPLACE FUNCTION public.particiones()
 RETURNS TABLE(tabla text, particion text, hasta uuid)
 LANGUAGE sql
 STABLE
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
    select whole.relname, part.relname,
      substring(pg_get_expr(part.relpartbound, part.oid) from $re$ TO [(]'([0-9a-f-]{36})'[)]$re$)::uuid
    from pg_partitioned_table
      join pg_class whole on whole.oid = partrelid
      join pg_inherits on inhparent = partrelid
      join pg_class part on part.oid = inhrelid
    where whole.relnamespace = 'public'::regnamespace
      and whole.relname in ('mensajes', 'mensaje_intentos', 'webhook_mensajes', 'webhook_entregas', 'webhook_intentos')
  $function$;

CREATE OR REPLACE FUNCTION public.primer_id(momento timestamp with time zone)
 RETURNS uuid
 LANGUAGE sql
 STABLE STRICT
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$ select (lpad(to_hex((extract(epoch from momento) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid $function$;

CREATE OR REPLACE FUNCTION public.soltar_particion(nombre text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
 SET lock_timeout TO '250ms'
AS $function$
  begin
    perform pg_advisory_xact_lock(hashtext('particiones'));
    if not exists (select from pg_class where relname = nombre and relnamespace = 'public'::regnamespace) then
      return;
    end if;
    if not exists (
      select from public.particiones()
      where particion = nombre and hasta <= public.primer_id(now() - interval '30 days')
    ) then
      raise exception '% is no partition of old rows', nombre;
    end if;
    execute format('drop table public.%I', nombre);
  end
  $function$;

create table advertencias_vistas (
  comercio_id uuid not null,
  guia_id uuid not null,
  lado character varying(20) not null,
  codigo character varying(50) not null,
  vista_en timestamp(3) with time zone not null,
  constraint advertencias_vistas_pkey PRIMARY KEY (comercio_id, guia_id, lado, codigo)
);

create table ajustes (
  comercio_id uuid not null,
  id uuid not null,
  guia_id uuid,
  moneda text not null,
  monto numeric(20,2) not null,
  motivo character varying(200) not null,
  creado_en timestamp(3) with time zone not null,
  operador_id uuid,
  ref text,
  automatico boolean default false not null,
  liquidacion_id uuid,
  constraint ajustes_pkey PRIMARY KEY (comercio_id, id),
  constraint ajustes_id_key UNIQUE (id),
  constraint ajustes_monto_check CHECK ((monto <> (0)::numeric)),
  constraint ajustes_comercio_fkey FOREIGN KEY (comercio_id) REFERENCES comercios(id),
  constraint ajustes_liquidacion_fkey FOREIGN KEY (comercio_id, liquidacion_id) REFERENCES liquidaciones(comercio_id, id)
);
CREATE INDEX ajustes_liquidacion_idx ON public.ajustes USING btree (comercio_id, liquidacion_id, id) WHERE (liquidacion_id IS NOT NULL);
CREATE INDEX ajustes_pendientes_idx ON public.ajustes USING btree (comercio_id, id) WHERE (liquidacion_id IS NULL);
CREATE UNIQUE INDEX ajustes_ref_key ON public.ajustes USING btree (operador_id, comercio_id, ref) WHERE (ref IS NOT NULL);

create table auditoria (
  id uuid not null,
  clave uuid not null,
  usuario text not null,
  accion text not null,
  guia text,
  comercio_id uuid,
  webhook_id uuid,
  detalle text,
  resultado text not null,
  nota text,
  creado_en timestamp(3) with time zone not null,
  proceso_id uuid,
  constraint auditoria_pkey PRIMARY KEY (id),
  constraint auditoria_clave_key UNIQUE (clave),
  constraint auditoria_detalle_check CHECK (((char_length(detalle) >= 1) AND (char_length(detalle) <= 500))),
  constraint auditoria_guia_check CHECK ((guia ~ '^[1-9][0-9]{11}$'::text)),
  constraint auditoria_nota_check CHECK (((char_length(nota) >= 1) AND (char_length(nota) <= 500))),
  constraint auditoria_resultado_check CHECK ((resultado = ANY (ARRAY['en_curso'::text, 'hecho'::text, 'rechazado'::text, 'fallo'::text, 'interrumpida'::text])))
);
CREATE INDEX auditoria_en_curso_idx ON public.auditoria USING btree (id) WHERE (resultado = 'en_curso'::text);
CREATE INDEX auditoria_guia_idx ON public.auditoria USING btree (guia, id) WHERE (guia IS NOT NULL);

create table avisos (
  id uuid not null,
  comercio_id uuid not null,
  mensaje_id uuid not null,
  constraint avisos_pkey PRIMARY KEY (id),
  constraint avisos_mensaje_key UNIQUE (mensaje_id)
);
CREATE INDEX avisos_comercio_idx ON public.avisos USING btree (comercio_id, id);

create table bajas (
  destinatario text not null,
  creada_en timestamp(3) with time zone not null,
  origen text default 'destinatario'::text not null,
  es_variante boolean default false not null,
  id uuid default gen_random_uuid() not null,
  vigente boolean default true not null,
  deseo_en timestamp(3) with time zone,
  constraint bajas_pkey PRIMARY KEY (destinatario),
  constraint bajas_destinatario_check CHECK (((char_length(destinatario) >= 1) AND (char_length(destinatario) <= 200))),
  constraint bajas_origen_check CHECK ((origen = ANY (ARRAY['destinatario'::text, 'operador'::text, 'soporte'::text, 'pagina'::text])))
);
CREATE UNIQUE INDEX bajas_id_key ON public.bajas USING btree (id);

create table busqueda (
  comercio_id uuid not null,
  guia_id uuid not null,
  texto text not null,
  ultimos character varying(4),
  constraint busqueda_pkey PRIMARY KEY (comercio_id, guia_id)
);
CREATE INDEX busqueda_texto_idx ON public.busqueda USING gin (texto gin_trgm_ops);
CREATE INDEX busqueda_ultimos_idx ON public.busqueda USING btree (ultimos, guia_id) WHERE (ultimos IS NOT NULL);

create table busqueda_avance (
  paso text not null,
  hasta_id uuid not null,
  constraint busqueda_avance_pkey PRIMARY KEY (paso),
  constraint busqueda_avance_paso_check CHECK ((paso = ANY (ARRAY['nuevas'::text, 'repaso'::text])))
);

create table caja_entregas (
  id uuid not null,
  piloto_id uuid not null,
  de_prueba boolean not null,
  moneda text not null,
  esperado numeric(20,2) not null,
  monto numeric(20,2) not null,
  nota character varying(500),
  creada_en timestamp(3) with time zone not null,
  operador_id uuid not null,
  ref text,
  constraint caja_entregas_pkey PRIMARY KEY (id),
  constraint caja_entregas_piloto_fkey FOREIGN KEY (piloto_id) REFERENCES pilotos(id)
);
CREATE INDEX caja_entregas_piloto_idx ON public.caja_entregas USING btree (piloto_id, id);
CREATE UNIQUE INDEX caja_entregas_ref_key ON public.caja_entregas USING btree (operador_id, piloto_id, de_prueba, ref) WHERE (ref IS NOT NULL);

create table caja_movimientos (
  comercio_id uuid not null,
  id uuid not null,
  guia_id uuid not null,
  piloto_id uuid not null,
  de_prueba boolean not null,
  moneda text not null,
  monto numeric(12,2) not null,
  creado_en timestamp(3) with time zone not null,
  entrega_id uuid,
  constraint caja_movimientos_pkey PRIMARY KEY (comercio_id, id),
  constraint caja_movimientos_monto_check CHECK ((monto <> (0)::numeric)),
  constraint caja_movimientos_entrega_fkey FOREIGN KEY (entrega_id) REFERENCES caja_entregas(id)
);
CREATE INDEX caja_movimientos_llevado_idx ON public.caja_movimientos USING btree (piloto_id, de_prueba, moneda) WHERE (entrega_id IS NULL);

create table claves_api (
  id uuid not null,
  comercio_id uuid,
  identificador text not null,
  huella bytea not null,
  alcances text[] not null,
  etiqueta text,
  creada_en timestamp(3) with time zone default now() not null,
  expira_en timestamp(3) with time zone,
  revocada_en timestamp(3) with time zone,
  ultimo_uso_en timestamp(3) with time zone,
  operador_id uuid,
  solape_hasta timestamp(3) with time zone,
  constraint claves_api_pkey PRIMARY KEY (id),
  constraint claves_api_identificador_key UNIQUE (identificador),
  constraint claves_api_alcances_check CHECK ((cardinality(alcances) > 0)),
  constraint claves_api_etiqueta_check CHECK (((char_length(etiqueta) >= 1) AND (char_length(etiqueta) <= 120))),
  constraint claves_api_huella_check CHECK ((octet_length(huella) = 32)),
  constraint claves_api_identificador_check CHECK ((identificador ~ '^[0-9A-Za-z]{8}$'::text)),
  constraint claves_api_titular_check CHECK (
CASE
    WHEN (operador_id IS NULL) THEN ((comercio_id IS NOT NULL) AND (NOT (alcances && ARRAY['operaciones'::text, 'operaciones:leer'::text])))
    ELSE ((comercio_id IS NULL) AND (alcances <@ ARRAY['operaciones'::text, 'operaciones:leer'::text]))
END),
  constraint claves_api_comercio_fkey FOREIGN KEY (comercio_id) REFERENCES comercios(id),
  constraint claves_api_operador_fkey FOREIGN KEY (operador_id) REFERENCES operadores(id)
);
CREATE INDEX claves_api_comercio_idx ON public.claves_api USING btree (comercio_id);
CREATE INDEX claves_api_operador_idx ON public.claves_api USING btree (operador_id) WHERE (operador_id IS NOT NULL);

create table cobros (
  comercio_id uuid not null,
  guia_id uuid not null,
  cod_amount monto not null,
  cod_cobrado monto,
  cobrado_en timestamp(3) with time zone,
  liquidacion_id uuid,
  estado text not null,
  piloto_id uuid,
  pago text default 'efectivo'::text,
  liquidado numeric(12,2),
  constraint cobros_pkey PRIMARY KEY (comercio_id, guia_id),
  constraint cobros_estado_check CHECK ((((cod_cobrado IS NULL) = (cobrado_en IS NULL)) AND ((cod_cobrado IS NOT NULL) OR (liquidacion_id IS NULL)) AND (estado =
CASE
    WHEN (cod_cobrado IS NULL) THEN 'por_cobrar'::text
    WHEN (liquidacion_id IS NOT NULL) THEN 'liquidado'::text
    WHEN (pago = 'directo'::text) THEN 'sin_cobro'::text
    ELSE 'cobrado'::text
END))),
  constraint cobros_pago_check CHECK ((pago = ANY (ARRAY['efectivo'::text, 'tarjeta'::text, 'transferencia'::text, 'directo'::text]))),
  constraint cobros_liquidacion_fkey FOREIGN KEY (comercio_id, liquidacion_id) REFERENCES liquidaciones(comercio_id, id)
);
CREATE INDEX cobros_cobrado_en_idx ON public.cobros USING btree (comercio_id, estado, cobrado_en, guia_id);
CREATE INDEX cobros_cobrado_idx ON public.cobros USING btree (comercio_id, guia_id) WHERE (estado = 'cobrado'::text);
CREATE INDEX cobros_deshechos_idx ON public.cobros USING btree (comercio_id, guia_id) WHERE ((liquidacion_id IS NOT NULL) AND (pago IS NULL));
CREATE INDEX cobros_liquidacion_idx ON public.cobros USING btree (liquidacion_id, guia_id) WHERE (liquidacion_id IS NOT NULL);
CREATE INDEX cobros_liquidado_idx ON public.cobros USING btree (comercio_id, guia_id) WHERE (estado = 'liquidado'::text);
CREATE INDEX cobros_por_cobrar_idx ON public.cobros USING btree (comercio_id, guia_id) WHERE (estado = 'por_cobrar'::text);
CREATE INDEX cobros_sin_cobro_idx ON public.cobros USING btree (comercio_id, guia_id) WHERE (estado = 'sin_cobro'::text);

create table comercios (
  id uuid not null,
  nombre text not null,
  pais text not null,
  creado_en timestamp(3) with time zone default now() not null,
  moneda text default 'GTQ'::text not null,
  prueba_de uuid,
  telefono_contacto text,
  con_pin boolean default false not null,
  escucha_desde timestamp(3) with time zone,
  cerrado_en timestamp(3) with time zone,
  cerrado_por text,
  cierre_hecho_en timestamp(3) with time zone,
  cierre_visto_en timestamp(3) with time zone,
  correo text,
  correo_confirmado_en timestamp(3) with time zone,
  correo_rechazo text,
  con_avisos boolean default true not null,
  con_resumen boolean default true not null,
  resumen_dia date,
  constraint comercios_pkey PRIMARY KEY (id),
  constraint comercios_prueba_de_key UNIQUE (prueba_de),
  constraint comercios_correo_check CHECK (((char_length(correo) >= 3) AND (char_length(correo) <= 254))),
  constraint comercios_correo_rechazo_check CHECK (((char_length(correo_rechazo) >= 1) AND (char_length(correo_rechazo) <= 200))),
  constraint comercios_moneda_check CHECK ((moneda ~ '^[A-Z]{3}$'::text)),
  constraint comercios_nombre_check CHECK (((char_length(nombre) >= 1) AND (char_length(nombre) <= 120))),
  constraint comercios_pais_check CHECK ((pais ~ '^[A-Z]{2}$'::text)),
  constraint comercios_telefono_contacto_check CHECK ((telefono_contacto ~ '^\+[1-9][0-9]{3,14}$'::text)),
  constraint comercios_prueba_de_fkey FOREIGN KEY (prueba_de) REFERENCES comercios(id)
);
CREATE INDEX comercios_correo_idx ON public.comercios USING btree (correo) WHERE (correo IS NOT NULL);

create table confirmaciones (
  huella bytea not null,
  comercio_id uuid not null,
  guia_id uuid not null,
  creada_en timestamp(3) with time zone not null,
  expira_en timestamp(3) with time zone not null,
  secuencia integer,
  constraint confirmaciones_pkey PRIMARY KEY (huella),
  constraint confirmaciones_huella_check CHECK ((octet_length(huella) = 32))
);
CREATE INDEX confirmaciones_creada_idx ON public.confirmaciones USING btree (creada_en);

create table correo_avisos (
  id uuid not null,
  comercio_id uuid not null,
  guia_id uuid,
  codigo text not null,
  detalle text,
  creado_en timestamp(3) with time zone default now() not null,
  escrito_en timestamp(3) with time zone,
  constraint correo_avisos_pkey PRIMARY KEY (id),
  constraint correo_avisos_codigo_check CHECK ((codigo = ANY (ARRAY['destinatario_no_recibio'::text, 'destinatario_niega'::text, 'cod_distinto'::text, 'cancelada_ya_recogida'::text, 'extraviado'::text, 'webhook_desactivado'::text]))),
  constraint correo_avisos_comercio_fkey FOREIGN KEY (comercio_id) REFERENCES comercios(id)
);
CREATE INDEX correo_avisos_pendientes_idx ON public.correo_avisos USING btree (comercio_id, creado_en) WHERE (escrito_en IS NULL);

create table correos (
  id uuid not null,
  comercio_id uuid,
  para text not null,
  clase text not null,
  asunto text not null,
  texto text,
  html text,
  estado text default 'pendiente'::text not null,
  intentos integer default 0 not null,
  causa text,
  creado_en timestamp(3) with time zone default now() not null,
  proximo_en timestamp(3) with time zone default now() not null,
  enviado_en timestamp(3) with time zone,
  ronda integer default 0 not null,
  constraint correos_pkey PRIMARY KEY (id),
  constraint correos_causa_check CHECK (((char_length(causa) >= 1) AND (char_length(causa) <= 200))),
  constraint correos_clase_check CHECK ((clase = ANY (ARRAY['entrada'::text, 'confirmacion'::text, 'aviso'::text, 'resumen'::text]))),
  constraint correos_estado_check CHECK ((estado = ANY (ARRAY['pendiente'::text, 'guardado'::text, 'enviado'::text, 'fallido'::text]))),
  constraint correos_para_check CHECK (((char_length(para) >= 3) AND (char_length(para) <= 254))),
  constraint correos_comercio_fkey FOREIGN KEY (comercio_id) REFERENCES comercios(id)
);
CREATE INDEX correos_comercio_idx ON public.correos USING btree (comercio_id, id);
CREATE INDEX correos_para_idx ON public.correos USING btree (para, creado_en);
CREATE INDEX correos_pendientes_idx ON public.correos USING btree (proximo_en) WHERE (estado = 'pendiente'::text);

create table cupos_telefono (
  huella bytea not null,
  enviados timestamp(3) with time zone[] not null,
  ultimo_en timestamp(3) with time zone not null,
  constraint cupos_telefono_pkey PRIMARY KEY (huella),
  constraint cupos_telefono_huella_check CHECK ((octet_length(huella) = 32))
);
CREATE INDEX cupos_telefono_ultimo_idx ON public.cupos_telefono USING btree (ultimo_en);

create table enlaces (
  comercio_id uuid not null,
  guia_id uuid not null,
  lugar text not null,
  intentos smallint default 0 not null,
  ronda smallint default 0 not null,
  creado_en timestamp(3) with time zone not null,
  proximo_en timestamp(3) with time zone not null,
  constraint enlaces_pkey PRIMARY KEY (comercio_id, guia_id, lugar),
  constraint enlaces_intentos_check CHECK ((intentos >= 0)),
  constraint enlaces_lugar_check CHECK ((lugar = ANY (ARRAY['recogida'::text, 'destino'::text]))),
  constraint enlaces_ronda_check CHECK ((ronda >= 0))
);
CREATE INDEX enlaces_proximo_idx ON public.enlaces USING btree (proximo_en);

create table entrantes (
  id uuid not null,
  clave text not null,
  cuerpo text,
  recibido_en timestamp(3) with time zone not null,
  procesado_en timestamp(3) with time zone,
  ronda smallint default 0 not null,
  constraint entrantes_pkey PRIMARY KEY (id),
  constraint entrantes_clave_key UNIQUE (clave),
  constraint entrantes_clave_check CHECK (((char_length(clave) >= 1) AND (char_length(clave) <= 600))),
  constraint entrantes_ronda_check CHECK ((ronda >= 0))
);
CREATE INDEX entrantes_guardados_idx ON public.entrantes USING btree (procesado_en) WHERE (cuerpo IS NOT NULL);
CREATE INDEX entrantes_pendientes_idx ON public.entrantes USING btree (recibido_en) WHERE (procesado_en IS NULL);

create table eventos (
  comercio_id uuid not null,
  guia_id uuid not null,
  id uuid not null,
  tipo evento_tipo not null,
  creado_en timestamp(3) with time zone not null,
  datos jsonb,
  secuencia integer default 1 not null,
  actor evento_actor default 'comercio'::text not null,
  ocurrido_en timestamp(3) with time zone,
  operador_id uuid,
  ref text,
  intentos integer default 0 not null,
  proximo_en timestamp(3) with time zone,
  causa text,
  traza text,
  constraint eventos_pkey PRIMARY KEY (comercio_id, guia_id, id)
);
CREATE INDEX eventos_apartados_idx ON public.eventos USING btree (proximo_en) WHERE (proximo_en IS NOT NULL);
CREATE INDEX eventos_intentos_idx ON public.eventos USING btree (creado_en) WHERE (((tipo)::text = 'guia.estado_cambiado'::text) AND ((datos ->> 'estado'::text) = 'intento_fallido'::text));
CREATE UNIQUE INDEX eventos_ref_key ON public.eventos USING btree (operador_id, guia_id, ref) WHERE (ref IS NOT NULL);

create table eventos_pendientes (
  id uuid not null,
  comercio_id uuid not null,
  guia_id uuid not null,
  constraint eventos_pendientes_pkey PRIMARY KEY (id)
);

create table guia_notas (
  id uuid not null,
  comercio_id uuid not null,
  guia_id uuid not null,
  usuario text not null,
  texto text not null,
  creado_en timestamp(3) with time zone not null,
  constraint guia_notas_pkey PRIMARY KEY (id),
  constraint guia_notas_texto_check CHECK (((char_length(texto) >= 1) AND (char_length(texto) <= 1000)))
);
CREATE INDEX guia_notas_guia_idx ON public.guia_notas USING btree (guia_id, id);

create table guias (
  comercio_id uuid not null,
  id uuid not null,
  guia character varying(12) not null,
  external_ref character varying(100),
  estado guia_estado not null,
  destinatario character varying(120) default ''::character varying not null,
  telefono telefono_e164 not null,
  direccion character varying(500) default ''::character varying not null,
  departamento character varying(120) not null,
  municipio character varying(120) not null,
  referencia character varying(500),
  contenido character varying(500) default ''::character varying not null,
  notas character varying(1000),
  cod_amount monto default 0 not null,
  direccion_confirmada boolean not null,
  destino_lat latitud,
  destino_lng longitud,
  destino_maps_url character varying(4096),
  recogida_lat latitud,
  recogida_lng longitud,
  recogida_maps_url character varying(4096),
  recogida_nombre character varying(120),
  recogida_direccion character varying(500),
  advertencias text[] default '{}'::text[] not null,
  creada_en timestamp(3) with time zone not null,
  actualizada_en timestamp(3) with time zone not null,
  confirmada_en timestamp(3) with time zone,
  enlaces_pendientes text[] default '{}'::text[] not null,
  version integer default 1 not null,
  estado_en timestamp(3) with time zone,
  telefono_secuencia integer,
  respuesta_id uuid,
  de_prueba boolean default false not null,
  respuesta_en timestamp(3) with time zone,
  piloto_id uuid,
  constraint guias_pkey PRIMARY KEY (comercio_id, id),
  constraint guias_external_ref_key UNIQUE (comercio_id, external_ref),
  constraint guias_guia_key UNIQUE (guia),
  constraint guias_lugares_check CHECK (((num_nulls(destino_lat, destino_lng) <> 1) AND (num_nulls(recogida_lat, recogida_lng) <> 1) AND (num_nonnulls(recogida_lat, recogida_maps_url) > 0) AND ((NOT direccion_confirmada) OR (num_nonnulls(destino_lat, destino_maps_url) > 0))))
);
CREATE INDEX guias_actualizada_idx ON public.guias USING btree (comercio_id, actualizada_en, id);
CREATE INDEX guias_advertencias_idx ON public.guias USING btree (comercio_id, id) WHERE (advertencias <> '{}'::text[]);
CREATE INDEX guias_departamento_idx ON public.guias USING btree (clave_lugar((departamento)::text), estado, id) WHERE (NOT de_prueba);
CREATE INDEX guias_direccion_confirmada_idx ON public.guias USING btree (comercio_id, direccion_confirmada, id);
CREATE INDEX guias_enlaces_pendientes_idx ON public.guias USING btree (id) WHERE (enlaces_pendientes <> '{}'::text[]);
CREATE INDEX guias_estado_idx ON public.guias USING btree (comercio_id, estado, id);
CREATE INDEX guias_id_idx ON public.guias USING btree (id) WHERE (NOT de_prueba);
CREATE INDEX guias_libres_idx ON public.guias USING btree ("left"(reverse((guia)::text), 4), id) WHERE ((piloto_id IS NULL) AND (NOT de_prueba) AND ((estado)::text = ANY (ARRAY['en_camino_a_recoger'::text, 'recogido'::text, 'en_ruta'::text, 'intento_fallido'::text])));
CREATE INDEX guias_municipio_idx ON public.guias USING btree (clave_lugar((municipio)::text), estado, id) WHERE (NOT de_prueba);
CREATE INDEX guias_piloto_fin_idx ON public.guias USING btree (piloto_id, estado_en) WHERE ((piloto_id IS NOT NULL) AND (NOT de_prueba) AND ((estado)::text = ANY (ARRAY['entregado'::text, 'devuelto'::text, 'cancelado'::text, 'extraviado'::text])));
CREATE INDEX guias_piloto_idx ON public.guias USING btree (piloto_id, estado, id) WHERE ((piloto_id IS NOT NULL) AND (NOT de_prueba));
CREATE INDEX guias_por_cobrar_idx ON public.guias USING btree (comercio_id, id) WHERE (((cod_amount)::numeric > (0)::numeric) AND ((estado)::text <> ALL (ARRAY['entregado'::text, 'cancelado'::text, 'devuelto'::text, 'extraviado'::text])));
CREATE INDEX guias_prueba_id_idx ON public.guias USING btree (id) WHERE de_prueba;
CREATE INDEX guias_sin_cobro_idx ON public.guias USING btree (comercio_id, id) WHERE (((cod_amount)::numeric > (0)::numeric) AND ((estado)::text = ANY (ARRAY['cancelado'::text, 'devuelto'::text, 'extraviado'::text])));
CREATE INDEX guias_telefono_idx ON public.guias USING btree (comercio_id, reverse((telefono)::text) text_pattern_ops, id);

create table impresiones (
  comercio_id uuid not null,
  guia_id uuid not null,
  por character varying(20) not null,
  impresa_en timestamp(3) with time zone not null,
  constraint impresiones_pkey PRIMARY KEY (comercio_id, guia_id, por)
);

create table liquidaciones (
  comercio_id uuid not null,
  id uuid not null,
  moneda text not null,
  guias integer not null,
  cobrado numeric(20,2) not null,
  desde timestamp(3) with time zone not null,
  hasta timestamp(3) with time zone not null,
  creada_en timestamp(3) with time zone not null,
  operador_id uuid not null,
  ref text,
  pagada_en timestamp(3) with time zone,
  referencia_pago text,
  pago_operador_id uuid,
  pago_ref text,
  ajustes numeric(20,2) default 0 not null,
  constraint liquidaciones_pkey PRIMARY KEY (comercio_id, id),
  constraint liquidaciones_id_key UNIQUE (id),
  constraint liquidaciones_cobrado_check CHECK ((cobrado >= (0)::numeric)),
  constraint liquidaciones_guias_check CHECK ((guias >= 0)),
  constraint liquidaciones_pago_check CHECK (((num_nulls(pagada_en, referencia_pago, pago_operador_id) = ANY (ARRAY[0, 3])) AND ((pago_ref IS NULL) OR (pagada_en IS NOT NULL)))),
  constraint liquidaciones_vacia_check CHECK (((guias > 0) OR (cobrado = (0)::numeric))),
  constraint liquidaciones_comercio_fkey FOREIGN KEY (comercio_id) REFERENCES comercios(id)
);
CREATE INDEX liquidaciones_por_pagar_idx ON public.liquidaciones USING btree (id) WHERE (pagada_en IS NULL);
CREATE UNIQUE INDEX liquidaciones_ref_key ON public.liquidaciones USING btree (operador_id, comercio_id, ref) WHERE (ref IS NOT NULL);
CREATE INDEX liquidaciones_referencia_idx ON public.liquidaciones USING btree (translate(lower(referencia_pago), ' -_/.#:'::text, ''::text), id) WHERE (referencia_pago IS NOT NULL);

create table masiva_guias (
  masiva_id uuid not null,
  guia_id uuid not null,
  comercio_id uuid not null,
  guia text not null,
  mensaje_id uuid,
  resultado text,
  motivo text,
  constraint masiva_guias_pkey PRIMARY KEY (masiva_id, guia_id),
  constraint masiva_guias_motivo_check CHECK (((char_length(motivo) >= 1) AND (char_length(motivo) <= 500))),
  constraint masiva_guias_resultado_check CHECK ((resultado = ANY (ARRAY['hecho'::text, 'no'::text]))),
  constraint masiva_guias_masiva_id_fkey FOREIGN KEY (masiva_id) REFERENCES masivas(id) ON DELETE CASCADE
);

create table masivas (
  id uuid not null,
  accion text not null,
  causa text not null,
  comercio_id uuid,
  usuario text not null,
  texto text,
  hasta timestamp(3) with time zone,
  creado_en timestamp(3) with time zone not null,
  terminado_en timestamp(3) with time zone,
  proximo_en timestamp(3) with time zone not null,
  ronda integer default 0 not null,
  piloto_id uuid,
  detenida_en timestamp(3) with time zone,
  constraint masivas_pkey PRIMARY KEY (id),
  constraint masivas_accion_check CHECK ((accion = ANY (ARRAY['pedir'::text, 'reenviar'::text, 'anotar'::text, 'atender'::text, 'asignar'::text]))),
  constraint masivas_texto_check CHECK (((char_length(texto) >= 1) AND (char_length(texto) <= 1000)))
);
CREATE INDEX masivas_atendidas_idx ON public.masivas USING btree (causa, comercio_id, hasta) WHERE (hasta IS NOT NULL);
CREATE INDEX masivas_pendientes_idx ON public.masivas USING btree (proximo_en) WHERE (terminado_en IS NULL);

create table mensaje_intentos (
  mensaje_id uuid not null,
  id uuid not null,
  en timestamp(3) with time zone not null,
  resultado text not null,
  causa text,
  veces integer default 1 not null,
  constraint mensaje_intentos_pkey PRIMARY KEY (mensaje_id, id),
  constraint mensaje_intentos_causa_check CHECK (((char_length(causa) >= 1) AND (char_length(causa) <= 500))),
  constraint mensaje_intentos_resultado_check CHECK ((resultado = ANY (ARRAY['aceptado'::text, 'reintenta'::text, 'sin_respuesta'::text, 'detenido'::text, 'fallido'::text, 'no_entregado'::text, 'interrumpido'::text]))),
  constraint mensaje_intentos_veces_check CHECK ((veces >= 1))
) partition by RANGE (mensaje_id);

create table mensajes (
  id uuid not null,
  tipo text not null,
  estado text not null,
  comercio_id uuid,
  guia_id uuid,
  telefono text,
  usuario text,
  responde_a uuid,
  enlace_base text,
  proveedor text,
  proveedor_id text,
  intentos smallint default 0 not null,
  ronda smallint default 0 not null,
  causa text,
  creado_en timestamp(3) with time zone not null,
  actualizado_en timestamp(3) with time zone not null,
  proximo_en timestamp(3) with time zone not null,
  primer_intento_en timestamp(3) with time zone,
  constraint mensajes_pkey PRIMARY KEY (id),
  constraint mensajes_causa_check CHECK (((char_length(causa) >= 1) AND (char_length(causa) <= 500))),
  constraint mensajes_confirmacion_check CHECK (((tipo <> ALL (ARRAY['confirmacion_ubicacion'::text, 'pin_de_entrega'::text])) OR ((guia_id IS NOT NULL) AND (telefono IS NOT NULL)))),
  constraint mensajes_destinatario_check CHECK (((telefono IS NOT NULL) OR (usuario IS NOT NULL))),
  constraint mensajes_estado_check CHECK ((estado = ANY (ARRAY['pendiente'::text, 'enviando'::text, 'incierto'::text, 'aceptado'::text, 'entregado'::text, 'leido'::text, 'fallido'::text, 'omitido'::text]))),
  constraint mensajes_guia_check CHECK (((comercio_id IS NULL) = (guia_id IS NULL))),
  constraint mensajes_intentos_check CHECK ((intentos >= 0)),
  constraint mensajes_proveedor_check CHECK ((proveedor = ANY (ARRAY['sandbox'::text, 'webhook'::text, 'whatsapp'::text]))),
  constraint mensajes_proveedor_id_check CHECK (((char_length(proveedor_id) >= 1) AND (char_length(proveedor_id) <= 512))),
  constraint mensajes_ronda_check CHECK ((ronda >= 0)),
  constraint mensajes_telefono_check CHECK ((telefono ~ '^\+[1-9][0-9]{3,14}$'::text)),
  constraint mensajes_tipo_check CHECK ((tipo = ANY (ARRAY['confirmacion_ubicacion'::text, 'pedir_ubicacion'::text, 'elegir_guia'::text, 'ubicacion_recibida'::text, 'guia_cerrada'::text, 'ayuda'::text, 'baja'::text, 'alta'::text, 'pin_de_entrega'::text]))),
  constraint mensajes_usuario_check CHECK (((char_length(usuario) >= 1) AND (char_length(usuario) <= 200)))
) partition by RANGE (id);
CREATE INDEX mensajes_fallidos_idx ON public.mensajes USING btree (id) WHERE (estado = 'fallido'::text);
CREATE INDEX mensajes_guia_idx ON public.mensajes USING btree (guia_id, id);
CREATE INDEX mensajes_pendientes_idx ON public.mensajes USING btree (proximo_en) WHERE (estado = ANY (ARRAY['pendiente'::text, 'enviando'::text, 'incierto'::text]));
CREATE INDEX mensajes_proveedor_id_idx ON public.mensajes USING btree (proveedor_id) WHERE (proveedor_id IS NOT NULL);
CREATE INDEX mensajes_sandbox_idx ON public.mensajes USING btree (comercio_id, id) WHERE (proveedor = 'sandbox'::text);
CREATE INDEX mensajes_telefono_idx ON public.mensajes USING btree (telefono, id);
CREATE INDEX mensajes_usuario_idx ON public.mensajes USING btree (usuario, id) WHERE (usuario IS NOT NULL);

create table operadores (
  id uuid not null,
  nombre text not null,
  creado_en timestamp(3) with time zone default now() not null,
  constraint operadores_pkey PRIMARY KEY (id),
  constraint operadores_nombre_key UNIQUE (nombre),
  constraint operadores_nombre_check CHECK (((char_length(nombre) >= 1) AND (char_length(nombre) <= 120)))
);

create table panel_ajustes (
  comercio_id uuid not null,
  guia jsonb default '{}'::jsonb not null,
  columnas jsonb default '{}'::jsonb not null,
  tamano character varying(20) default '100x150'::character varying not null,
  recogida_id uuid,
  constraint panel_ajustes_pkey PRIMARY KEY (comercio_id)
);

create table panel_archivos (
  comercio_id uuid not null,
  id uuid not null,
  nombre character varying(200) not null,
  separador character varying(1) not null,
  tabla jsonb not null,
  columnas jsonb not null,
  resultados jsonb default '{}'::jsonb not null,
  creado_en timestamp(3) with time zone default now() not null,
  importado_en timestamp(3) with time zone,
  recogida_id uuid,
  constraint panel_archivos_pkey PRIMARY KEY (comercio_id, id)
);
CREATE INDEX panel_archivos_creado_idx ON public.panel_archivos USING btree (creado_en);

create table panel_enlaces (
  huella bytea not null,
  correo text not null,
  comercio_id uuid,
  vence_en timestamp(3) with time zone not null,
  constraint panel_enlaces_pkey PRIMARY KEY (huella),
  constraint panel_enlaces_huella_check CHECK ((octet_length(huella) = 32))
);
CREATE UNIQUE INDEX panel_enlaces_comercio_key ON public.panel_enlaces USING btree (comercio_id) WHERE (comercio_id IS NOT NULL);
CREATE INDEX panel_enlaces_vence_idx ON public.panel_enlaces USING btree (vence_en);

create table panel_formularios (
  comercio_id uuid not null,
  clave uuid not null,
  destino text,
  creado_en timestamp(3) with time zone default now() not null,
  constraint panel_formularios_pkey PRIMARY KEY (comercio_id, clave)
);
CREATE INDEX panel_formularios_creado_idx ON public.panel_formularios USING btree (creado_en);

create table panel_recogidas (
  comercio_id uuid not null,
  id uuid not null,
  nombre character varying(120) not null,
  direccion character varying(500) not null,
  lat double precision not null,
  lng double precision not null,
  creado_en timestamp(3) with time zone default now() not null,
  constraint panel_recogidas_pkey PRIMARY KEY (comercio_id, id)
);

create table panel_sesiones (
  huella bytea not null,
  clave_id uuid,
  vence_en timestamp(3) with time zone not null,
  texto text,
  texto_en timestamp(3) with time zone,
  comercio_id uuid,
  correo text,
  constraint panel_sesiones_pkey PRIMARY KEY (huella),
  constraint panel_sesiones_huella_check CHECK ((octet_length(huella) = 32)),
  constraint panel_sesiones_titular_check CHECK ((((clave_id IS NULL) = (comercio_id IS NOT NULL)) AND ((comercio_id IS NULL) = (correo IS NULL))))
);
CREATE INDEX panel_sesiones_clave_idx ON public.panel_sesiones USING btree (clave_id);
CREATE INDEX panel_sesiones_comercio_idx ON public.panel_sesiones USING btree (comercio_id) WHERE (comercio_id IS NOT NULL);
CREATE INDEX panel_sesiones_texto_idx ON public.panel_sesiones USING btree (texto_en);
CREATE INDEX panel_sesiones_vence_idx ON public.panel_sesiones USING btree (vence_en);

create table pausas (
  proveedor text not null,
  codigo text not null,
  causa text not null,
  desde timestamp(3) with time zone not null,
  por_informe boolean default false not null,
  respuesta text,
  prueba_en timestamp(3) with time zone,
  prueba_id uuid,
  responde_en timestamp(3) with time zone,
  constraint pausas_pkey PRIMARY KEY (proveedor),
  constraint pausas_proveedor_check CHECK ((proveedor = ANY (ARRAY['sandbox'::text, 'webhook'::text, 'whatsapp'::text]))),
  constraint pausas_respuesta_check CHECK (((char_length(respuesta) >= 1) AND (char_length(respuesta) <= 200)))
);

create table piloto_rechazos (
  piloto_id uuid not null,
  ref uuid not null,
  guia character varying(36) not null,
  codigo character varying(50) not null,
  creado_en timestamp(3) with time zone default clock_timestamp() not null,
  entendido_en timestamp(3) with time zone,
  constraint piloto_rechazos_pkey PRIMARY KEY (piloto_id, ref)
);
CREATE INDEX piloto_rechazos_creado_idx ON public.piloto_rechazos USING btree (creado_en);

create table pilotos (
  id uuid not null,
  nombre character varying(120) not null,
  telefono telefono_e164,
  activo boolean default true not null,
  creado_en timestamp(3) with time zone not null,
  visto_en timestamp(3) with time zone,
  operador_id uuid not null,
  ref text,
  enlace_hash bytea,
  enlace_vence_en timestamp(3) with time zone,
  constraint pilotos_pkey PRIMARY KEY (id),
  constraint pilotos_enlace_check CHECK (((enlace_hash IS NULL) = (enlace_vence_en IS NULL))),
  constraint pilotos_nombre_check CHECK (((nombre)::text <> ''::text))
);
CREATE UNIQUE INDEX pilotos_enlace_key ON public.pilotos USING btree (enlace_hash) WHERE (enlace_hash IS NOT NULL);
CREATE UNIQUE INDEX pilotos_ref_key ON public.pilotos USING btree (operador_id, ref) WHERE (ref IS NOT NULL);

create table pin_fallos (
  comercio_id uuid not null,
  guia_id uuid not null,
  pin character varying(4) not null,
  constraint pin_fallos_pkey PRIMARY KEY (comercio_id, guia_id, pin)
);

create table procesos (
  id uuid not null,
  visto_en timestamp(3) with time zone not null,
  constraint procesos_pkey PRIMARY KEY (id)
);

create table saldo_movimientos (
  id uuid not null,
  piloto_id uuid not null,
  de_prueba boolean not null,
  moneda text not null,
  monto numeric(20,2) not null,
  motivo character varying(200) not null,
  creado_en timestamp(3) with time zone not null,
  operador_id uuid not null,
  ref text,
  constraint saldo_movimientos_pkey PRIMARY KEY (id),
  constraint saldo_movimientos_monto_check CHECK ((monto <> (0)::numeric)),
  constraint saldo_movimientos_piloto_fkey FOREIGN KEY (piloto_id) REFERENCES pilotos(id)
);
CREATE INDEX saldo_movimientos_piloto_idx ON public.saldo_movimientos USING btree (piloto_id, id);
CREATE UNIQUE INDEX saldo_movimientos_ref_key ON public.saldo_movimientos USING btree (operador_id, piloto_id, de_prueba, ref) WHERE (ref IS NOT NULL);

create table simulaciones (
  id uuid not null,
  comercio_id uuid not null,
  guia_id uuid not null,
  guion text not null,
  cada_segundos smallint not null,
  pasos jsonb not null,
  hechos timestamp(3) with time zone[] default '{}'::timestamp with time zone[] not null,
  estado text not null,
  causa text,
  creada_en timestamp(3) with time zone not null,
  proximo_en timestamp(3) with time zone not null,
  ronda smallint default 0 not null,
  constraint simulaciones_pkey PRIMARY KEY (id),
  constraint simulaciones_cada_segundos_check CHECK (((cada_segundos >= 0) AND (cada_segundos <= 60))),
  constraint simulaciones_causa_check CHECK (((char_length(causa) >= 1) AND (char_length(causa) <= 500))),
  constraint simulaciones_estado_check CHECK ((estado = ANY (ARRAY['en_curso'::text, 'terminada'::text, 'detenida'::text]))),
  constraint simulaciones_hechos_check CHECK ((cardinality(hechos) <= jsonb_array_length(pasos))),
  constraint simulaciones_ronda_check CHECK ((ronda >= 0))
);
CREATE UNIQUE INDEX simulaciones_en_curso_idx ON public.simulaciones USING btree (comercio_id, guia_id) WHERE (estado = 'en_curso'::text);
CREATE INDEX simulaciones_guia_idx ON public.simulaciones USING btree (comercio_id, guia_id, id);
CREATE INDEX simulaciones_proximo_idx ON public.simulaciones USING btree (proximo_en, id) WHERE (estado = 'en_curso'::text);

create table solicitudes (
  id uuid not null,
  peticion text not null,
  metodo text not null,
  ruta text,
  estado smallint not null,
  codigo text,
  ms integer not null,
  comercio_id uuid,
  operador_id uuid,
  clave_id uuid,
  constraint solicitudes_pkey PRIMARY KEY (id)
);
CREATE INDEX solicitudes_clave_idx ON public.solicitudes USING btree (clave_id, id) WHERE (clave_id IS NOT NULL);
CREATE INDEX solicitudes_peticion_idx ON public.solicitudes USING btree (peticion);

create table textos (
  comercio_id uuid not null,
  guia_id uuid not null,
  id uuid not null,
  texto text not null,
  recibido_en timestamp(3) with time zone not null,
  constraint textos_pkey PRIMARY KEY (comercio_id, guia_id, id),
  constraint textos_texto_check CHECK (((char_length(texto) >= 1) AND (char_length(texto) <= 4096)))
);
CREATE INDEX textos_id_idx ON public.textos USING btree (id);

create table webhook_entregas (
  webhook_id uuid not null,
  mensaje_id uuid not null,
  estado text not null,
  intentos smallint default 0 not null,
  ronda integer default 0 not null,
  causa text,
  creado_en timestamp(3) with time zone not null,
  actualizado_en timestamp(3) with time zone not null,
  proximo_en timestamp(3) with time zone not null,
  lenta boolean default false not null,
  constraint webhook_entregas_pkey PRIMARY KEY (webhook_id, mensaje_id),
  constraint webhook_entregas_causa_check CHECK (((char_length(causa) >= 1) AND (char_length(causa) <= 500))),
  constraint webhook_entregas_estado_check CHECK ((estado = ANY (ARRAY['pendiente'::text, 'entregada'::text, 'fallida'::text]))),
  constraint webhook_entregas_intentos_check CHECK ((intentos >= 0)),
  constraint webhook_entregas_ronda_check CHECK ((ronda >= 0)),
  constraint webhook_entregas_webhook_fkey FOREIGN KEY (webhook_id) REFERENCES webhooks(id)
) partition by RANGE (mensaje_id);
CREATE INDEX webhook_entregas_cola_idx ON public.webhook_entregas USING btree (webhook_id, lenta, proximo_en) WHERE (estado = 'pendiente'::text);
CREATE INDEX webhook_entregas_estado_idx ON public.webhook_entregas USING btree (webhook_id, estado, mensaje_id) WHERE (estado <> 'entregada'::text);

create table webhook_intentos (
  webhook_id uuid not null,
  mensaje_id uuid not null,
  id uuid not null,
  en timestamp(3) with time zone not null,
  ms integer not null,
  estado_http smallint,
  error text,
  respuesta text,
  constraint webhook_intentos_pkey PRIMARY KEY (webhook_id, mensaje_id, id),
  constraint webhook_intentos_error_check CHECK (((char_length(error) >= 1) AND (char_length(error) <= 60))),
  constraint webhook_intentos_estado_http_check CHECK (((estado_http >= 100) AND (estado_http <= 999))),
  constraint webhook_intentos_ms_check CHECK ((ms >= 0)),
  constraint webhook_intentos_respuesta_check CHECK ((octet_length(respuesta) <= 1024)),
  constraint webhook_intentos_salida_check CHECK (((estado_http IS NULL) = (error IS NOT NULL)))
) partition by RANGE (mensaje_id);

create table webhook_mensajes (
  id uuid not null,
  comercio_id uuid,
  guia text,
  evento text not null,
  secuencia integer,
  cuerpo text not null,
  creado_en timestamp(3) with time zone not null,
  constraint webhook_mensajes_pkey PRIMARY KEY (id),
  constraint webhook_mensajes_cuerpo_check CHECK ((octet_length(cuerpo) < 20000)),
  constraint webhook_mensajes_evento_check CHECK ((evento = ANY (ARRAY['guia.creada'::text, 'guia.confirmada'::text, 'guia.estado_cambiado'::text, 'guia.mensaje_fallido'::text, 'guia.destinatario_niega'::text, 'guia.cancelada'::text, 'liquidacion.pagada'::text, 'guia.estado_corregido'::text, 'guia.advertencia'::text, 'guia.destinatario_no_recibio'::text, 'guia.actualizada'::text, 'webhook.prueba'::text]))),
  constraint webhook_mensajes_guia_check CHECK ((guia ~ '^[1-9][0-9]{11}$'::text))
) partition by RANGE (id);
CREATE INDEX webhook_mensajes_guia_idx ON public.webhook_mensajes USING btree (guia) WHERE (guia IS NOT NULL);

create table webhooks (
  id uuid not null,
  comercio_id uuid,
  url text not null,
  descripcion text,
  eventos text[] not null,
  secreto integer default 1 not null,
  secreto_anterior_hasta timestamp(3) with time zone,
  activo boolean default true not null,
  desactivado_en timestamp(3) with time zone,
  desactivado_por text,
  falla_desde timestamp(3) with time zone,
  creado_en timestamp(3) with time zone not null,
  actualizado_en timestamp(3) with time zone not null,
  eliminado_en timestamp(3) with time zone,
  lento boolean default true not null,
  prueba_id uuid,
  operador_id uuid,
  termina_en timestamp(3) with time zone,
  constraint webhooks_pkey PRIMARY KEY (id),
  constraint webhooks_activo_check CHECK (((activo = (desactivado_en IS NULL)) AND (activo = (desactivado_por IS NULL)))),
  constraint webhooks_desactivado_por_check CHECK ((desactivado_por = ANY (ARRAY['comercio'::text, 'operador'::text, 'respuesta_410'::text, 'cinco_dias_de_fallas'::text]))),
  constraint webhooks_descripcion_check CHECK (((char_length(descripcion) >= 1) AND (char_length(descripcion) <= 120))),
  constraint webhooks_eventos_check CHECK (((cardinality(eventos) > 0) AND (eventos <@ ARRAY['guia.creada'::text, 'guia.confirmada'::text, 'guia.estado_cambiado'::text, 'guia.mensaje_fallido'::text, 'guia.destinatario_niega'::text, 'guia.cancelada'::text, 'liquidacion.pagada'::text, 'guia.estado_corregido'::text, 'guia.advertencia'::text, 'guia.destinatario_no_recibio'::text, 'guia.actualizada'::text]))),
  constraint webhooks_secreto_check CHECK ((secreto > 0)),
  constraint webhooks_titular_check CHECK ((num_nonnulls(comercio_id, operador_id) = 1)),
  constraint webhooks_url_check CHECK (((char_length(url) >= 1) AND (char_length(url) <= 2048))),
  constraint webhooks_comercio_fkey FOREIGN KEY (comercio_id) REFERENCES comercios(id),
  constraint webhooks_operador_fkey FOREIGN KEY (operador_id) REFERENCES operadores(id)
);
CREATE INDEX webhooks_comercio_idx ON public.webhooks USING btree (comercio_id, eliminado_en, id);
CREATE INDEX webhooks_operador_idx ON public.webhooks USING btree (operador_id, eliminado_en, id) WHERE (operador_id IS NOT NULL);
