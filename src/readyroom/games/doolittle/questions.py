"""stub"""


def questions(data):
    return {}
