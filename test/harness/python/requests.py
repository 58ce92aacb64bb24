"""The part of the package `requests` that the guides use, made from the standard library."""
import base64
import json as json_module
import urllib.error
import urllib.parse
import urllib.request


class Response:
    def __init__(self, status, headers, text):
        self.status_code = status
        self.headers = headers
        self.text = text

    def json(self):
        return json_module.loads(self.text)


class Session:
    auth = None

    def request(self, method, url, params=None, json=None, timeout=None):
        if params:
            url += "?" + urllib.parse.urlencode(params)
        headers = {}
        data = None
        if self.auth:
            pair = ":".join(self.auth).encode()
            headers["Authorization"] = "Basic " + base64.b64encode(pair).decode()
        if json is not None:
            headers["Content-Type"] = "application/json"
            data = json_module.dumps(json).encode()
        request = urllib.request.Request(url, data, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=timeout) as reply:
                return Response(reply.status, reply.headers, reply.read())
        except urllib.error.HTTPError as error:
            return Response(error.code, error.headers, error.read())

    def get(self, url, **options):
        return self.request("GET", url, **options)

    def post(self, url, **options):
        return self.request("POST", url, **options)

    def patch(self, url, **options):
        return self.request("PATCH", url, **options)
