"""The OpenAPI documents, as a server sends them; what they say is held to linters and clients by tests/openapi."""


def operations(document):
    return [operation for item in document["paths"].values() for operation in item.values()]


def test_limits_are_those_of_the_server(make_server, mini):
    server = make_server(mini, "--max-batch", "77", "--max-body", "2048", "--max-url", "512")
    document = server.request("/openapi.json").json()
    assert "2048" in document["info"]["description"] and "512" in document["info"]["description"]
    assert document["components"]["schemas"]["sourceData_body"]["properties"]["hotel"]["maxItems"] == 77
    said = {o["operationId"]: o["requestBody"]["description"] for o in operations(document) if "requestBody" in o}
    assert (said["signIn"], said["sourceData"]) == ("At most 2048 bytes", "At most 2048 bytes")
    document = make_server(mini).request("/openapi.json").json()
    said = {o["operationId"]: o["requestBody"]["description"] for o in operations(document) if "requestBody" in o}
    assert (said["signIn"], said["sourceData"]) == ("At most 8192 bytes", "At most 4194304 bytes")


def test_a_document_has_a_tag_and_comes_compressed(server):
    for path in ("/openapi.json", "/v1/openapi.json"):
        plain = server.request(path)
        for coding in ("gzip", "br", "zstd"):
            answer = server.request(path, headers={"Accept-Encoding": coding})
            assert answer.headers["Content-Encoding"] == coding and answer.plain() == plain.body
            assert len(answer.body) < len(plain.body) / 5
            again = server.request(path, headers={"If-None-Match": answer.headers["ETag"]})
            assert again.status == 304 and again.body == b""
    assert server.request("/openapi.json", "HEAD").headers["Content-Length"] == str(len(server.request("/openapi.json").body))
